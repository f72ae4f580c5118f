/** One session of a live store, kept as it goes: its bytes at once, what they tell when it is quiet. */
import type {
  Converter,
  Environment,
  EvidenceFile,
  OpenFile,
  SessionEvent,
  SessionRef,
  Source,
} from "@asp-convert/core";
import { SourceError } from "@asp-convert/core";
import type { CapturedLog } from "../captured/log.js";
import type { Model } from "../captured/model.js";
import type { SeenFile, SeenSession, StateRecord } from "../captured/records.js";
import type { CapturedWriter } from "../captured/writer.js";
import { EVIDENCE, evidenceSource } from "../trail/evidence.js";
import { eventsOf, refIn } from "../trail/sessions.js";
import { FileKeeper } from "./files.js";
import { onceOpened } from "./once.js";

/** A new state of a session. */
export interface Seen extends Pick<StateRecord, "at" | "why"> {
  session: SeenSession;
  /** From 1. */
  revision: number;
  /** Events of the session itself. */
  events: number;
}

export class SessionCapture {
  readonly #log: CapturedLog;
  readonly #converter: Converter;
  readonly #environment: Environment;
  readonly #keeper: FileKeeper;

  constructor(log: CapturedLog, converter: Converter, environment: Environment) {
    this.#log = log;
    this.#converter = converter;
    this.#environment = environment;
    this.#keeper = new FileKeeper(log);
  }

  get log(): CapturedLog {
    return this.#log;
  }

  /** What its files got is kept; durable when it resolves. */
  async keepBytes(ref: SessionRef, source: Source): Promise<void> {
    await this.#log.write(async (writer) => {
      writer.open(ref, new Date().toISOString());
      await this.#keepFamily(writer, ref, source, true);
    });
  }

  /** Its state now. undefined: as it was seen last. */
  async see(ref: SessionRef, source: Source): Promise<Seen | undefined> {
    return this.#log.write(async (writer, model) => {
      const at = new Date().toISOString();
      writer.open(ref, at);
      const before = model.revisions.at(-1);
      const own = model.revisions.findLast(
        ({ session }) => session.files.length > 0 && isNative(model, session),
      );
      const cuts = () => model.files.reduce((sum, { cuts }) => sum + cuts, 0);
      const cutsBefore = own ? cutsAt(model, own.place.number) : 0;
      const kept = await this.#keepFamily(writer, ref, source, false);
      writer.flush();
      const session = await this.#tellFamily(writer, model, ref, kept);
      if (before && before.why !== "gone" && own === before && same(before.session, session))
        return undefined;
      const why = !own ? "first" : cuts() > cutsBefore ? "rewritten" : "grew";
      writer.state({ at, why, session });
      return { at, why, session, revision: model.revisions.length, events: lengthOf(session) };
    });
  }

  /** The program has it no more. undefined: that was known. */
  async gone(): Promise<Seen | undefined> {
    return this.#log.write((writer, model) => {
      const last = model.revisions.at(-1);
      if (!last || last.why === "gone") return undefined;
      const { session } = last;
      const at = new Date().toISOString();
      writer.state({ at, why: "gone", session });
      return { at, why: "gone", session, revision: model.revisions.length, events: lengthOf(session) };
    });
  }

  /** @returns for each session of the family, what its files are now. */
  async #keepFamily(
    writer: CapturedWriter,
    ref: SessionRef,
    source: Source,
    glance: boolean,
  ): Promise<Map<SessionRef, SeenFile[]>> {
    const kept = new Map<SessionRef, SeenFile[]>();
    for (const each of family(ref)) {
      const files: SeenFile[] = [];
      for (const file of each.files) {
        const seen = await this.#keepFile(writer, each.id, file, source, glance);
        if (seen) files.push(seen);
      }
      kept.set(each, files);
    }
    return kept;
  }

  async #keepFile(
    writer: CapturedWriter,
    of: string,
    { path, relative, role, encoding }: EvidenceFile,
    source: Source,
    glance: boolean,
  ): Promise<SeenFile | undefined> {
    let open: OpenFile;
    try {
      open = await source.open(path);
    } catch (error) {
      // A side file may go at any time; a session that has lost its transcript is not listed any more.
      if (error instanceof SourceError && error.why === "missing") return undefined;
      throw error;
    }
    try {
      const file = writer.file({ of, relative, role, ...(encoding && { encoding }) });
      const sha256 = await this.#keeper.keep(writer, file, open, glance);
      const info = glance ? undefined : await source.stat(path);
      const { size, mtimeMs } = open;
      return { file, size, sha256, mtimeMs, ...(info && { mode: info.mode & 0o777 }) };
    } finally {
      open.close();
    }
  }

  /** What is told is read in the bytes that were kept: it can be read in them again at any time. */
  async #tellFamily(
    writer: CapturedWriter,
    model: Readonly<Model>,
    ref: SessionRef,
    kept: ReadonlyMap<SessionRef, SeenFile[]>,
  ): Promise<SeenSession> {
    const record = (each: SessionRef): Parameters<typeof evidenceSource>[0] => ({
      harness: each.harness,
      id: each.id,
      path: each.path,
      files: (kept.get(each) ?? []).map(({ file, ...seen }) => {
        const { relative = "", role = "companion", encoding } = model.files[file] ?? {};
        return { ...seen, relative, role, ...(encoding && { encoding }) };
      }),
      children: each.children.map(record),
    });
    const once = onceOpened(
      evidenceSource(record(ref), ({ relative }) => {
        const named = model.files.find((file) => file.relative === relative);
        return named ? this.#log.content(named) : nothing();
      }),
    );
    try {
      const { id } = ref;
      const found = await refIn(this.#converter, id, EVIDENCE, once.source, this.#environment);
      const events = (each: SessionRef): AsyncIterable<SessionEvent> => {
        const read = found && family(found).find((one) => one.id === each.id);
        if (!read) return nothing();
        return eventsOf({ converter: this.#converter, ref: read, source: once.source }, this.#environment);
      };
      const tell = async (each: SessionRef): Promise<SeenSession> => {
        const { adapter, layer } = { adapter: this.#converter.id, layer: "L1" as const };
        const told = await writer.tell({ of: each.id, layer, adapter }, events(each));
        const others = rowsOf(model, each.id).filter(({ stream }) =>
          told.streams.every((own) => own.stream !== stream),
        );
        const { title, cwd, path } = each;
        const children: SeenSession[] = [];
        for (const child of each.children) children.push(await tell(child));
        return {
          id: each.id,
          ...(title !== undefined && { title }),
          ...(cwd !== undefined && { cwd }),
          path,
          files: kept.get(each) ?? [],
          streams: [...told.streams, ...others],
          children,
        };
      };
      return await tell(ref);
    } finally {
      once.close();
    }
  }
}

/** What everybody has told of a session so far. */
export function rowsOf(model: Readonly<Model>, id: string): SeenSession["streams"] {
  return model.streams
    .filter(({ of }) => of === id)
    .map(({ stream, row }) => ({ stream, length: row.length }));
}

export function family(ref: SessionRef): SessionRef[] {
  return [ref, ...ref.children.flatMap(family)];
}

async function* nothing(): AsyncGenerator<never> {}

function isNative(model: Readonly<Model>, { streams }: SeenSession): boolean {
  return streams.some(({ stream }) => model.streams[stream]?.layer === "L1");
}

function cutsAt(model: Readonly<Model>, number: number): number {
  const cuts = model.files.map(
    ({ changes }) => changes.filter((change) => "to" in change && change.at.number < number).length,
  );
  return cuts.reduce((sum, count) => sum + count, 0);
}

/** Times apart. */
function same(a: SeenSession, b: SeenSession): boolean {
  const plain = ({ files, children, ...rest }: SeenSession): unknown => [
    { ...rest, files: undefined },
    files.map(({ file, sha256 }) => [file, sha256]),
    children.map(plain),
  ];
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function lengthOf({ streams }: SeenSession): number {
  return streams.reduce((sum, { length }) => sum + length, 0);
}
