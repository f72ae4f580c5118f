/**
 * Portable events and native bytes → a bundle: per session its sealed log, every file it lies in as a blob, and
 * its entry in the manifest. The same session gives the same bytes, whenever it is exported.
 */
import { createHash } from "node:crypto";
import type { EvidenceFile, SessionInput, SessionPlan, Target } from "../converter/contract.js";
import { joinLosses, tally } from "../fidelity/tally.js";
import { keepWhole } from "../fidelity/whole.js";
import { blocksOf } from "../io/blocks.js";
import { inPieces } from "../io/output.js";
import { type Source, SourceError } from "../io/source.js";
import type { Action, CreateAction } from "../pipeline/plan.js";
import { countOf } from "../session/count.js";
import { sessionId } from "../session/identity.js";
import { sealer } from "../session/seal.js";
import { spell } from "../session/spell.js";
import { bundlePaths, withSession } from "./layout.js";
import type { BundleFile, BundleSession } from "./manifest.js";

/** The hash of no bytes. */
const NOTHING = createHash("sha256").digest("hex");

export async function writeBundle(input: SessionInput, target: Target): Promise<SessionPlan> {
  return (await planSession(input, target)).plan;
}

async function planSession(input: SessionInput, target: Target): Promise<{ plan: SessionPlan; id: string }> {
  const { ref, ledger } = input;
  const source = input.source ?? target.source;
  const paths = bundlePaths(target.root);
  const children: { plan: SessionPlan; id: string }[] = [];
  for (const child of input.children) children.push(await planSession(child, target));
  const files: BundleFile[] = [];
  const blobs: CreateAction[] = [];
  if (input.shared) {
    // The native bytes hold what the events do not tell: in their place stands nothing.
    files.push({ relative: ref.files[0]?.relative ?? "session", role: "transcript", blob: NOTHING, size: 0 });
    blobs.push({ do: "create", path: paths.blob(NOTHING), content: "" });
  } else
    for (const file of ref.files) {
      const entry = await entryOf(file, source);
      files.push(entry);
      blobs.push({
        do: "create",
        path: paths.blob(entry.blob),
        content: () => bytesOf(file.path, entry, source),
      });
    }
  const id = sessionId(ref.harness, ref.id, files[0]?.blob ?? "");
  const log = { sum: createHash("sha256"), bytes: 0, count: 0, messages: 0, toolCalls: 0 };

  async function* lines(): AsyncGenerator<string> {
    const seal = sealer({ sessionId: id, adapter: ref.harness, blobs: files.map(({ blob }) => blob) });
    for await (const event of input.events()) {
      keepWhole(event, ledger);
      const { messages, toolCalls } = countOf(event);
      log.messages += messages;
      log.toolCalls += toolCalls;
      log.count++;
      const { text, cut } = spell(seal(input.shared ? { ...event, origin: [] } : event));
      // The native bytes still hold it.
      if (cut)
        ledger.note({ axis: "raw", level: "evidence-only", reason: "target-limit" }, event.origin[0]?.record);
      yield `${text}\n`;
    }
  }
  async function* logBytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of inPieces(lines())) {
      const bytes = Buffer.from(piece);
      log.sum.update(bytes);
      log.bytes += bytes.length;
      yield bytes;
    }
  }

  // One instance: an edit may be asked more than once, a hash gives its digest once.
  let entry: BundleSession | undefined;
  const session = (): BundleSession => {
    entry ??= {
      id,
      harness: ref.harness,
      nativeSessionId: ref.id,
      ...pick(
        ref,
        "harnessVersion",
        "title",
        "titleFrom",
        "cwd",
        "git",
        "createdAt",
        "updatedAt",
        "timesInferred",
      ),
      ...pick(ref, "model", "archived", "parent"),
      children: children.map((child) => child.id),
      messages: log.messages,
      toolCalls: log.toolCalls,
      events: { sha256: log.sum.digest("hex"), bytes: log.bytes, count: log.count },
      files,
      records: input.shared ? { read: 0, mapped: 0, evidence: 0, lost: 0 } : ledger.settle(),
      axes: tally([ledger]),
      losses: joinLosses([ledger]),
    };
    return entry;
  };

  const actions: Action[] = [
    ...blobs,
    { do: "create", path: paths.events(id), content: logBytes },
    {
      do: "edit",
      path: paths.manifest,
      what: `session ${ref.id} in the manifest`,
      edit: (before) => withSession(before, session(), paths.manifest),
    },
  ];
  return {
    id,
    plan: { id: ref.id, ...pick(ref, "cwd"), actions, children: children.map(({ plan }) => plan) },
  };
}

async function entryOf(file: EvidenceFile, source: Source): Promise<BundleFile> {
  const info = await source.stat(file.path);
  const open = await source.open(file.path);
  try {
    const sum = createHash("sha256");
    for (const bytes of blocksOf(open)) sum.update(bytes);
    return {
      relative: file.relative,
      role: file.role,
      ...(file.encoding && { encoding: file.encoding }),
      blob: sum.digest("hex"),
      size: open.size,
      ...(info && { mode: info.mode & 0o777, mtimeMs: Math.floor(info.mtimeMs) }),
    };
  } finally {
    open.close();
  }
}

/** The bytes that were hashed, and no others. */
async function* bytesOf(
  path: string,
  { blob, size }: BundleFile,
  source: Source,
): AsyncGenerator<Uint8Array> {
  const open = await source.open(path);
  try {
    const sum = createHash("sha256");
    for (const bytes of blocksOf(open, 0, Math.min(size, open.size))) {
      sum.update(bytes);
      yield bytes;
    }
    if (sum.digest("hex") !== blob)
      throw new SourceError(path, "changed", "changed while it was read. Run it again");
  } finally {
    open.close();
  }
}

/** The named keys that have a value. */
function pick<T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]),
  ) as Pick<T, K>;
}
