/** Writes and reads `asp-bundle` version 1, the single-file form. */
import type { ReadContext, SessionRef, Store } from "../converter/contract.js";
import type { Level } from "../fidelity/axes.js";
import type { Source } from "../io/source.js";
import type { SessionEvent } from "../session/event.js";
import { materialize } from "../session/materialize.js";
import { type Envelope, unseal } from "../session/seal.js";
import type { AspBundle } from "./asp-bundle.js";
import { BundleError } from "./layout.js";

export interface SingleBundle {
  native: AspBundle["native"];
  /** The session's sealed log; gone through twice. */
  log: () => AsyncIterable<Envelope> | Iterable<Envelope>;
  fidelity: readonly { axis: string; level: Level; detail: string }[];
  /** Sentences. */
  loss: readonly string[];
  /** ISO 8601. */
  createdAt: string;
}

/** The file's text in pieces. Events told twice are written once, as the snapshot counts them. */
export async function* writeAspBundle(bundle: SingleBundle): AsyncGenerator<string> {
  const { native, log, fidelity, loss, createdAt } = bundle;
  const pivot = await materialize(log());
  const head = { format: "asp-bundle", version: 1, createdAt, native } as const;
  yield `${JSON.stringify(head).slice(0, -1)},"pivot":`;
  yield* snapshotText(pivot);
  yield ',"evidence":[';
  const seen = new Set<string>();
  for await (const envelope of log()) {
    if (seen.has(envelope.eventId)) continue;
    yield `${seen.size === 0 ? "" : ","}\n${JSON.stringify(envelope)}`;
    seen.add(envelope.eventId);
  }
  yield `\n],${JSON.stringify({ fidelity, loss }).slice(1)}\n`;
}

/** Entity by entity: a whole snapshot may be longer than a string can be. */
function* snapshotText(snapshot: object): Generator<string> {
  yield "{";
  let first = true;
  for (const [key, value] of Object.entries(snapshot)) {
    yield `${first ? "" : ","}${JSON.stringify(key)}:`;
    first = false;
    if (!Array.isArray(value)) {
      yield JSON.stringify(value);
      continue;
    }
    yield "[";
    for (const [i, each] of value.entries()) yield `${i === 0 ? "" : ","}${JSON.stringify(each)}`;
    yield "]";
  }
  yield "}";
}

/** What is read at once: a JSON file has no other way. */
const MAX_BYTES = 256 * 1024 * 1024;

/** @throws BundleError naming what is not as it must be. */
export async function readAspBundle(path: string, source: Source): Promise<AspBundle> {
  const bytes = await source.readFile(path, MAX_BYTES);
  if (!bytes) throw new BundleError(path, "there is no such file");
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch (cause) {
    throw new BundleError(path, "is no JSON", { cause });
  }
  const { AspBundle: schema } = await import("./asp-bundle.js");
  const checked = schema.safeParse(json);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new BundleError(
      path,
      `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not as it must be"}`,
    );
  }
  // The value itself, so that keys we do not know survive.
  const bundle = json as AspBundle;
  const { pivot, evidence } = bundle;
  const invariants: [boolean, string][] = [
    [
      pivot.revision === evidence.length,
      `pivot.revision is ${pivot.revision}, with ${evidence.length} events`,
    ],
    [pivot.seq === evidence.length - 1, `pivot.seq is ${pivot.seq}, with ${evidence.length} events`],
    [pivot.nextSeq === pivot.seq + 1, `pivot.nextSeq is ${pivot.nextSeq}, after ${pivot.seq}`],
    [
      evidence.length === 0 || pivot.id === evidence[0]?.correlation?.agentSessionId,
      "pivot.id is not the first event's agentSessionId",
    ],
    [new Set(evidence.map(({ eventId }) => eventId)).size === evidence.length, "an event stands in it twice"],
  ];
  for (const [holds, problem] of invariants) if (!holds) throw new BundleError(path, problem);
  return bundle;
}

const loaded = new WeakMap<SessionRef, AspBundle>();

export async function* listSingle(store: Store, source: Source): AsyncGenerator<SessionRef> {
  const bundle = await readAspBundle(store.root, source);
  const { native, pivot } = bundle;
  const times = pivot.messages.map(({ createdAt }) => createdAt).sort();
  const talk = pivot.messages.filter(
    ({ role, injected, branch }) =>
      (role === "user" || role === "assistant") && injected === undefined && branch === undefined,
  );
  const ref: SessionRef = {
    harness: native.harness,
    id: native.sessionId,
    path: store.root,
    // No transcript: the program's own bytes are not in it, so that nothing can be replayed.
    files: [
      {
        path: store.root,
        relative: `${native.sessionId.replace(/[^\w-]+/g, "_")}.asp.json`,
        role: "companion",
      },
    ],
    ...(pivot.title !== undefined && { title: pivot.title }),
    ...(pivot.cwd !== undefined && { cwd: pivot.cwd }),
    ...(pivot.git !== undefined && { git: pivot.git as NonNullable<SessionRef["git"]> }),
    ...(pivot.model !== undefined && { model: pivot.model }),
    ...(times[0] !== undefined && { createdAt: times[0], updatedAt: times.at(-1) ?? times[0] }),
    size: (await source.stat(store.root))?.size ?? 0,
    messages: talk.length,
    children: [],
  };
  loaded.set(ref, bundle);
  yield ref;
}

/** Each envelope is a record of the file. */
export async function* readSingle(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const { evidence } = loaded.get(ref) ?? (await readAspBundle(ref.path, source));
  for (const envelope of evidence as readonly Envelope[]) {
    signal?.throwIfAborted();
    const record = ledger.record();
    yield { ...unseal(envelope, []), origin: [{ record, file: 0, offset: 0, length: ref.size }] };
  }
}
