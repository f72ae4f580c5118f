/** A session → one `asp-bundle` file. */
import { createHash } from "node:crypto";
import type { SessionInput, SessionPlan, Target } from "../converter/contract.js";
import { sessionAxes } from "../fidelity/axes.js";
import { keepWhole } from "../fidelity/whole.js";
import { fileIn } from "../interchange/format.js";
import { blocksOf } from "../io/blocks.js";
import { lineBatches } from "../io/lines.js";
import { openMade } from "../io/made.js";
import type { OpenFile } from "../io/source.js";
import type { SessionEvent } from "../session/event.js";
import { sessionId } from "../session/identity.js";
import { type Envelope, sealer } from "../session/seal.js";
import { writeAspBundle } from "./single.js";

export async function writeSingle(input: SessionInput, target: Target, child = false): Promise<SessionPlan> {
  const { ref, shared } = input;
  const children: SessionPlan[] = [];
  for (const each of input.children) children.push(await writeSingle(each, target, true));
  const files = shared ? [] : await Promise.all(ref.files.map(({ path }) => sumOf(path, input, target)));
  const [sha256 = ""] = files;
  const context = { sessionId: sessionId(ref.harness, ref.id, sha256), adapter: ref.harness, blobs: files };

  async function* lines(): AsyncGenerator<Uint8Array> {
    const seal = sealer(context);
    for await (const event of input.events()) {
      account(event, input);
      yield Buffer.from(`${JSON.stringify(seal(shared ? { ...event, origin: [] } : event))}\n`);
    }
  }

  async function* text(): AsyncGenerator<string> {
    // The snapshot stands before the events: they are read once, and gone through twice.
    const made = await openMade({ path: ref.path, mtimeMs: 0, check: () => "same", close() {} }, lines());
    const kept = Object.keys(sessionAxes).map((axis) => ({
      axis,
      level: axis === "side-records" || axis === "raw" ? ("dropped" as const) : ("preserved" as const),
      detail: sessionAxes[axis as keyof typeof sessionAxes],
    }));
    try {
      yield* writeAspBundle({
        native: {
          harness: ref.harness,
          sessionId: ref.id,
          ...(!shared && { sourcePath: ref.path }),
          ...(sha256 !== "" && { sourceSha256: sha256 }),
        },
        log: () => envelopesIn(made),
        fidelity: kept,
        loss: ["records of the program's own that no event tells of: their bytes are not in this file"],
        createdAt: ref.updatedAt ?? ref.createdAt ?? new Date(0).toISOString(),
      });
    } finally {
      made.close();
    }
  }

  const path = fileIn(target, ref.id, ".json", child);
  return {
    id: ref.id,
    ...(ref.cwd !== undefined && { cwd: ref.cwd }),
    actions: [{ do: "create", path, content: text }],
    children,
  };
}

function* envelopesIn(made: OpenFile): Generator<Envelope> {
  for (const batch of lineBatches(made, { maxLine: Number.POSITIVE_INFINITY }))
    for (const { bytes } of batch) if (bytes) yield JSON.parse(bytes.toString("utf8")) as Envelope;
}

function account(event: SessionEvent, { ledger }: SessionInput): void {
  if (event.type === "unknown.observed" && event.payload.value === undefined)
    ledger.leave(event, {
      axis: event.payload.reason === undefined ? "side-records" : "raw",
      level: "dropped",
      reason: "no-counterpart",
    });
  else keepWhole(event, ledger);
}

async function sumOf(path: string, input: SessionInput, target: Target): Promise<string> {
  const file = await (input.source ?? target.source).open(path);
  try {
    const sum = createHash("sha256");
    for (const bytes of blocksOf(file)) sum.update(bytes);
    return sum.digest("hex");
  } finally {
    file.close();
  }
}
