/**
 * One session as events. What Copilot CLI sends its model is the order of its file, with each result at its call; the
 * events of subagents stand between those of the session itself, and are told as sessions of their own.
 */
import {
  lineBatches,
  type OpenFile,
  type Origin,
  type Piece,
  piecesOf,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, name, string } from "@asp-convert/core/values";
import { companionEvents, isWorkspace } from "./companions.js";
import { settingsOf } from "./notes.js";
import { type Party, type Place, recordAt, type Scan, scan } from "./scan.js";
import { Talk } from "./talk.js";
import { told } from "./told.js";

/** @throws SourceError; any other error is a bug. */
export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const file = await context.source.open(ref.path);
  try {
    const reader = new Reader(ref, file, context);
    yield* reader.started(await workspaceOrigin(ref, context));
    yield* reader.talk();
    yield* companionEvents(ref, context);
  } finally {
    file.close();
  }
}

/** Title, folder and branch were taken from it when the session was listed. */
async function workspaceOrigin(ref: SessionRef, { source, ledger }: ReadContext): Promise<Origin[]> {
  const at = ref.files.findIndex(({ role, relative }) => role === "companion" && isWorkspace(relative));
  const path = ref.files[at]?.path;
  if (path === undefined) return [];
  const info = await source.stat(path);
  return [{ record: ledger.record(), file: at, offset: 0, length: info?.size ?? 0 }];
}

class Reader {
  readonly #ref: SessionRef;
  readonly #file: OpenFile;
  readonly #context: ReadContext;
  readonly #scan: Scan;
  /** Whose talk it is: a subagent's file holds nobody else's. */
  readonly #agent: string | undefined;
  readonly #party: Party;

  constructor(ref: SessionRef, file: OpenFile, context: ReadContext) {
    this.#ref = ref;
    this.#file = file;
    this.#context = context;
    this.#scan = scan(file, context.signal);
    const [first] = this.#scan.agents;
    const isOfAgent = ref.parent?.relation === "subagent" && this.#scan.own.head === undefined;
    this.#agent = isOfAgent ? first?.[0] : undefined;
    this.#party = isOfAgent && first ? first[1] : this.#scan.own;
  }

  *started(workspace: readonly Origin[]): Generator<SessionEvent> {
    const { createdAt, timesInferred } = this.#ref;
    const { head } = this.#party;
    const record = head && recordAt(this.#file, head);
    const origin = [...(head ? [this.#origin(head)] : []), ...workspace];
    const time = isoTime(record?.timestamp) ?? createdAt;
    const beside = {
      origin,
      ...(time !== undefined && { time }),
      ...(timesInferred && time === createdAt && { timeInferred: true }),
    };
    yield told("session.started", startedOf(this.#ref), beside);
    const settings = settingsOf(fields(record?.data) ?? {});
    if (Object.keys(settings).length > 0) yield told("capabilities.changed", { settings }, beside);
  }

  *talk(): Generator<SessionEvent> {
    const { signal, ledger } = this.#context;
    const talk = new Talk(this.#party, {
      record: (place) => recordAt(this.#file, place),
      origin: (place) => this.#origin(place),
      assets: this.#scan.assets,
      ledger,
    });
    for (const batch of lineBatches(this.#file, { signal })) {
      for (const line of batch)
        for (const piece of piecesOf(line)) {
          const record = piece.ok ? fields(piece.value) : undefined;
          if (!piece.ok || !record || string(record.type) === undefined) yield this.#unreadable(piece);
          else if (piece.offset !== this.#party.head?.offset) yield* this.#record(record, piece, talk);
        }
    }
    yield* talk.end();
  }

  *#record(record: Fields, piece: Piece & { ok: true }, talk: Talk): Generator<SessionEvent> {
    const { offset, length, invalidText } = piece;
    if (name(record.agentId) === this.#agent) {
      yield* talk.record(record, { offset, length });
      if (invalidText) this.#context.ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" });
      return;
    }
    yield told(
      "unknown.observed",
      { nativeType: `copilot.${string(record.type)}`, axis: "side-records", reason: "duplicate" },
      { origin: [this.#origin({ offset, length })] },
    );
  }

  #unreadable(piece: Piece): SessionEvent {
    const origin = [this.#origin(piece)];
    return piece.ok
      ? told(
          "unknown.observed",
          { nativeType: "copilot.record", axis: "side-records", reason: "no-counterpart" },
          { origin },
        )
      : told("unknown.observed", { nativeType: "raw", axis: "raw", reason: piece.why }, { origin });
  }

  #origin({ offset, length }: Place): Origin {
    return { record: this.#context.ledger.record(), file: 0, offset, length };
  }
}
