/**
 * The messages of a session, from one look over its bytes: which there are, in what order, and where the version of
 * each that holds lies. A later record of an id replaces the one before it; `$set` and `$rewindTo` change the list.
 * The bodies stay where they are, but for records that carry a whole list: these are parsed.
 */
import {
  documentParts,
  type Line,
  lineBatches,
  MAX_LINE,
  type OpenFile,
  type Piece,
  piecesOf,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, list, parsed, string } from "@asp-convert/core/values";
import { isResponse, partsIn } from "@asp-convert/gemini-family";

export interface Place {
  offset: number;
  length: number;
}

/** A version of a message: a record, or one of the messages that a record lists. */
export interface Version extends Place {
  /** In the record's list; -1: the record is the message. */
  at: number;
}

export interface Slot extends Version {
  id: string;
  /** Another message had that id before it. */
  isAgain: boolean;
  type: string;
  /** Milliseconds. */
  time: number | undefined;
  /** `context`: what the program adds by itself. `results`: nothing but results of calls. */
  only: "context" | "results" | undefined;
  /** It has words, or a picture: it is no call alone. */
  says: boolean;
  /** The same message once more, in a list that the program wrote of what it holds. */
  again?: Version;
}

export type Step =
  | { step: "message"; slot: Slot }
  /** From here on the model sees this list, and what follows. */
  | { step: "replaced"; place: Place; list: readonly Slot[] }
  | { step: "rewound"; place: Place }
  | { step: "titled"; place: Place; title: string };

/** Messages that were taken back. */
export interface Branch {
  slots: readonly Slot[];
  /** The message before the first of them. */
  from: Slot | undefined;
}

export interface Scan {
  /** Of all records that say what the session is, the later over the earlier. */
  meta: Fields;
  /** Those records, the first of them the head of the file. */
  heads: Place[];
  steps: Step[];
  branches: Branch[];
  /** What the model would be sent when the session is resumed. */
  current: readonly Slot[];
  /** Places of records that say nothing of their own, as pairs of offset and length. */
  sides: number[];
  /** The same of messages that a later record replaced, and of lists that only repeat what was there. */
  superseded: number[];
  /** What is no record. */
  others: Piece[];
}

export function scan(file: OpenFile, signal?: AbortSignal): Scan {
  const fold = new Fold();
  if (isDocument(file)) {
    const { shell, objects, cut } = documentParts(file, ["messages", "history"]);
    if (shell !== undefined) fold.head(shell, { offset: 0, length: file.size });
    for (const place of objects) fold.listed(place, parsed(textAt(file, place)));
    if (cut) fold.others.push({ ok: false, why: "torn-tail", ...cut });
    else if (shell === undefined && file.size > 0)
      fold.others.push({ ok: false, why: "unparsable", offset: 0, length: file.size });
  } else {
    for (const batch of lineBatches(file, { signal })) {
      for (const line of batch) {
        const usual = usualRecord(line);
        if (usual) fold.usual(usual, { offset: line.offset, length: line.length });
        else for (const piece of piecesOf(line)) fold.piece(piece);
      }
    }
  }
  return fold.end();
}

/** Longer ones are not held. */
function textAt(file: OpenFile, { offset, length }: Place): string | undefined {
  return length > MAX_LINE ? undefined : Buffer.from(file.read(offset, length)).toString("utf8");
}

/** A session of before 0.40 or so, or a checkpoint: one JSON value over the whole file. */
export function isDocument(file: OpenFile): boolean {
  if (!file.path.endsWith(".json")) return false;
  const head = Buffer.from(file.read(0, 256)).toString("latin1");
  return !/^\s*\{"sessionId":"[^"]*","projectHash":"[^"]*"[^\n]*\}\s*\n\s*\{/.test(head);
}

/** A checkpoint holds the parts of each turn and no more: `{role, parts}`. */
export function messageOf(value: unknown, place: number): Fields | undefined {
  const record = fields(value);
  if (!record || typeof record.id === "string") return record;
  if (record.role === undefined) return { ...record, id: `#${place}` };
  return {
    id: `#${place}`,
    type: record.role === "model" ? "gemini" : "user",
    content: record.parts,
  };
}

const HEAD = 400;
const USUAL =
  /^\{"id":"([\x20-\x21\x23-\x5b\x5d-\x7e]+)","timestamp":"([^"\\]*)","type":"([a-z_]+)","content":(.{0,60})/s;
const USUAL_SIDE = /^\{"\$set":\{"lastUpdated":"[^"\\]*"\}\}$/;
const CONTEXT = /^(?:\[\{"text":)?"(?:\\n|\s)*<(?:session|hook)_context>/;
const NOTHING = /^(?:""|\[\])/;
const RESULTS = /^\[\{"functionResponse":/;

type Usual = "side" | Slot;

/** The record of a line that is just as the program writes it; undefined for any other line. */
function usualRecord({ bytes, ended, offset, length }: Line): Usual | undefined {
  if (!bytes || !ended || bytes.at(-1) !== 0x7d) return undefined;
  const head = bytes.toString("latin1", 0, HEAD);
  if (length < HEAD && USUAL_SIDE.test(head)) return "side";
  const usual = USUAL.exec(head);
  // A line that holds a second record, after a whole or a cut one, or NULs, begins as any other does.
  if (!usual || bytes.indexOf('{"id":"', 1) !== -1 || bytes.includes('{"$', 1) || bytes.includes(0))
    return undefined;
  const [, id = "", time = "", type = "", content = ""] = usual;
  // Of results with something beside them only the parser can tell.
  if (type === "user" && RESULTS.test(content) && bytes.includes('{"text":')) return undefined;
  const own = copyOf(id);
  return {
    id: own,
    isAgain: false,
    type: shared(type),
    time: timeOf(time),
    only:
      type !== "user"
        ? undefined
        : CONTEXT.test(content)
          ? "context"
          : RESULTS.test(content)
            ? "results"
            : undefined,
    says: !NOTHING.test(content),
    offset,
    length,
    at: -1,
  };
}

class Fold {
  readonly #scan: Scan = {
    meta: {},
    heads: [],
    steps: [],
    branches: [],
    current: [],
    sides: [],
    superseded: [],
    others: [],
  };
  #current = new Map<string, Slot>();
  readonly #told = new Set<string>();
  /** The list was emptied, and nothing came after it yet: what was in it, and the record that said so. */
  #emptied: { current: Map<string, Slot>; place: Place; list: readonly Slot[] } | undefined;

  get others(): Piece[] {
    return this.#scan.others;
  }

  usual(record: Usual, place: Place): void {
    if (record === "side") this.#scan.sides.push(place.offset, place.length);
    else this.#put(record);
  }

  piece(piece: Piece): void {
    const record = piece.ok ? fields(piece.value) : undefined;
    if (!record) this.others.push(piece);
    else this.#record(record, placeOf(piece), piece);
  }

  head(value: unknown, place: Place): void {
    const { messages: _, history: __, ...meta } = fields(value) ?? {};
    this.#scan.heads.push(place);
    this.#scan.meta = { ...this.#scan.meta, ...meta };
  }

  /** One of a document's list. */
  listed(place: Place, value: unknown): void {
    const record = messageOf(value, this.#current.size);
    if (record) this.message(record, { ...place, at: -1 });
    else this.others.push({ ok: false, why: "unparsable", ...place });
  }

  message(record: Fields | undefined, version: Version): void {
    if (record) this.#put(slotOf(record, version));
    else this.#scan.sides.push(version.offset, version.length);
  }

  end(): Scan {
    // Nothing came after the list was emptied: it is a start of the program that was left again.
    if (this.#emptied) this.#current = this.#emptied.current;
    this.#scan.current = [...this.#current.values()];
    return this.#scan;
  }

  /** In the program's own order of precedence. */
  #record(record: Fields, place: Place, piece: Piece): void {
    const set = fields(record.$set);
    if (typeof record.$rewindTo === "string") this.#rewind(record.$rewindTo, place);
    else if (typeof record.id === "string") this.message(record, { ...place, at: -1 });
    else if (set) this.#set(set, place);
    else if (typeof record.sessionId === "string") {
      this.head(record, place);
      for (const [at, message] of list(record.messages).entries())
        this.message(fields(message), { ...place, at });
    } else this.others.push(piece);
  }

  #put(slot: Slot): void {
    const before = this.#current.get(slot.id);
    if (before) {
      // Of a list it is told by itself that it is superseded; what changes one of its messages may be told nowhere else.
      const { offset, length } = before.at === -1 ? before : slot;
      this.#scan.superseded.push(offset, length);
      delete before.again;
      Object.assign(before, slot, { isAgain: before.isAgain });
      return;
    }
    if (this.#emptied && slot.only === undefined) {
      const { place, list: emptied } = this.#emptied;
      this.#scan.steps.push({ step: "replaced", place, list: emptied });
      this.#emptied = undefined;
    }
    this.#current.set(slot.id, slot);
    this.#tell(slot);
  }

  #tell(slot: Slot): void {
    if (this.#told.has(slot.id)) slot.isAgain = true;
    else this.#told.add(slot.id);
    this.#scan.steps.push({ step: "message", slot });
  }

  #set(set: Fields, place: Place): void {
    const { messages, ...meta } = set;
    if (Array.isArray(messages)) this.#replace(messages, place);
    this.#scan.meta = { ...this.#scan.meta, ...meta };
    const title = string(meta.summary);
    if (title !== undefined) this.#scan.steps.push({ step: "titled", place, title });
    else if (!Array.isArray(messages)) this.#scan.sides.push(place.offset, place.length);
  }

  /** A new list: does it say the same as the old one and go on, is it cut short, or is it another? */
  #replace(messages: readonly unknown[], place: Place): void {
    const slots = messages.flatMap((message, at) => {
      const record = fields(message);
      return record && typeof record.id === "string" ? [slotOf(record, { ...place, at })] : [];
    });
    const old = this.#emptied?.current ?? this.#current;
    const said = (all: Iterable<Slot>) => [...all].filter(isTalk).map(({ id }) => id);
    const before = said(old.values());
    const after = said(slots);
    this.#scan.superseded.push(place.offset, place.length);
    if (before.every((id, i) => after[i] === id)) this.#goOn(slots, old);
    else if (after.length === 0) {
      this.#emptied ??= { current: this.#current, place, list: slots };
      this.#current = new Map(slots.map((slot) => [slot.id, slot]));
    } else if (after.every((id, i) => before[i] === id)) {
      this.#goOn(slots, old);
      this.#drop(new Set(before.slice(after.length)), place);
    } else if (!this.#forget(after, before, slots, old, place)) {
      this.#emptied = undefined;
      this.#current = new Map(slots.map((slot) => [slot.id, slot]));
      this.#scan.steps.push({ step: "replaced", place, list: slots });
    }
  }

  /** The same messages, once more and in other words; what is new among them is told where it is new. */
  #goOn(slots: readonly Slot[], old: ReadonlyMap<string, Slot>): void {
    this.#emptied = undefined;
    this.#current = new Map(
      slots.map((slot) => {
        const known = old.get(slot.id);
        if (known) {
          known.again = { offset: slot.offset, length: slot.length, at: slot.at };
          return [slot.id, known];
        }
        // Results that the program wrote out a second time are no message.
        if (slot.only !== "results") this.#tell(slot);
        return [slot.id, slot];
      }),
    );
  }

  /** The list begins later than before: a saved conversation was put after the one that it replaces. */
  #forget(
    after: readonly string[],
    before: readonly string[],
    slots: readonly Slot[],
    old: ReadonlyMap<string, Slot>,
    place: Place,
  ): boolean {
    const [first] = after;
    const cut = before.length - after.length;
    if (cut <= 0 || !after.every((id, i) => before[cut + i] === id)) return false;
    const { steps } = this.#scan;
    const last = steps.findLastIndex(({ step }) => step === "replaced");
    const begin = steps.findIndex((each, i) => i > last && each.step === "message" && each.slot.id === first);
    if (begin === -1) return false;
    this.#goOn(slots, old);
    steps.splice(begin, 0, { step: "replaced", place, list: [] });
    return true;
  }

  #rewind(id: string, place: Place): void {
    const ids = [...this.#current.keys()];
    const from = ids.indexOf(id);
    this.#drop(new Set(from === -1 ? ids : ids.slice(from)), place);
  }

  /** These messages, the last of the list, are taken back. */
  #drop(ids: ReadonlySet<string>, place: Place): void {
    const { steps, branches } = this.#scan;
    const last = steps.findLastIndex(({ step }) => step === "replaced");
    const replaced = steps[last];
    const kept: Step[] = [];
    const slots: Slot[] = [];
    for (const each of steps.splice(last + 1)) {
      if (each.step === "message" && ids.has(each.slot.id)) slots.push(each.slot);
      else kept.push(each);
    }
    steps.push(...kept);
    for (const dropped of ids) this.#current.delete(dropped);
    const from = kept.findLast((each) => each.step === "message");
    if (slots.length > 0) branches.push({ slots, from: from?.step === "message" ? from.slot : undefined });
    const left = replaced?.step === "replaced" ? replaced.list.filter(({ id }) => !ids.has(id)) : [];
    if (replaced?.step === "replaced" && left.length < replaced.list.length)
      steps.push({ step: "replaced", place, list: left });
    else steps.push({ step: "rewound", place });
  }
}

/** Its name in this session: the id, or one made of its place. */
export function keyOf({ id, isAgain, offset, at }: Slot): string {
  return isAgain ? `${id}@${offset}.${at}` : id;
}

/** Something that a person or the model said. */
export function isTalk({ type, only }: Slot): boolean {
  return only === undefined && (type === "user" || type === "gemini");
}

function placeOf({ offset, length }: Place): Place {
  return { offset, length };
}

function saysSomething(content: unknown): boolean {
  if (typeof content === "string") return content.trim() !== "";
  return partsIn(content).some((part) => {
    const { text, thought, inlineData, fileData } = fields(part) ?? {};
    return inlineData !== undefined || fileData !== undefined || (thought !== true && string(text)?.trim());
  });
}

function slotOf(record: Fields, version: Version): Slot {
  const parts = record.type === "user" ? partsIn(record.content) : [];
  const first = string(fields(parts[0])?.text);
  const only =
    first !== undefined && /^\s*<(?:session|hook)_context>/.test(first)
      ? "context"
      : parts.some(isResponse) && parts.every((part) => string(fields(part)?.text) === undefined)
        ? "results"
        : undefined;
  const id = string(record.id) ?? "";
  return {
    id,
    isAgain: false,
    type: string(record.type) ?? "",
    time: timeOf(record.timestamp),
    only,
    says: saysSomething(record.content),
    ...version,
  };
}

/** Milliseconds; undefined for what is no time. */
export function timeOf(value: unknown): number | undefined {
  const ms = Date.parse(isoTime(value) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** A part of a text keeps the whole of it in memory: what stays is copied. */
function copyOf(part: string): string {
  return Buffer.from(part, "latin1").toString("latin1");
}

const types = new Map(["user", "gemini", "info", "warning", "error"].map((type) => [type, type]));

function shared(type: string): string {
  return types.get(type) ?? copyOf(type);
}
