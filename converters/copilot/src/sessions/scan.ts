/**
 * A session's events from one look over their bytes: whose each is and where it lies, not what it says. The lines that
 * the program writes begin with their type and end with their id and time; any other form is parsed whole.
 */
import { type Line, lineBatches, type OpenFile, type Piece, piecesOf } from "@asp-convert/core";
import { type Fields, fields, isoTime, name, parsed, string } from "@asp-convert/core/values";

export interface Place {
  offset: number;
  length: number;
}

/** What one party (the session's own agent, or a subagent) left in the file. */
export interface Party {
  /** The event that it begins with, which says what it is. */
  head: Place | undefined;
  /** ms since 1970: of what was said and answered. */
  first: number | undefined;
  last: number | undefined;
  messages: number;
  /** The first thing that a person said, and the last that the model did. */
  prompt: Place | undefined;
  answer: Place | undefined;
  /** A subagent's lines: offset and length in turn. */
  lines: number[];
  /** The call that started it, and the subagent that made the call. */
  call: string | undefined;
  parent: string | undefined;
  /** The last time that what was said before was put into other words. */
  compaction: Place | undefined;
  /** By the call: results, in their order. */
  results: Map<string, Place[]>;
}

export interface Scan {
  own: Party;
  agents: Map<string, Party>;
  /** Who made a call that starts an agent; undefined: the session itself. */
  callers: Map<string, string | undefined>;
  assets: Map<string, Place>;
  title: Place | undefined;
  /** Sessions that were forked from this one. */
  forks: string[];
  /** Events, of any kind. */
  known: number;
}

/** How much of a line's end holds its id, time and parent. */
const TAIL = 400;
const HEAD = 80;
const USUAL_HEAD = /^\{"type":"([\w.]+)","data":\{/;
const USUAL_TAIL =
  /\}(?:,"agentId":"([\w-]+)")?,"id":"[0-9a-f-]{36}","timestamp":"([^"\\]+)","parentId":(?:null|"[^"\\]*")\}$/;
const SECOND = Buffer.from('{"type":"');

/** An event as the scan sees it. `record` is there where it had to be parsed. */
interface Glance extends Place {
  type: string;
  agent: string | undefined;
  time: string | undefined;
  bytes: Buffer | undefined;
  record: Fields | undefined;
}

export function scan(file: OpenFile, signal: AbortSignal | undefined): Scan {
  const found: Scan = {
    own: party(),
    agents: new Map(),
    callers: new Map(),
    assets: new Map(),
    title: undefined,
    forks: [],
    known: 0,
  };
  for (const batch of lineBatches(file, { signal }))
    for (const line of batch) {
      const usual = usualGlance(line);
      if (usual) take(usual, found);
      else
        for (const piece of piecesOf(line)) {
          const glance = glanceOf(piece);
          if (glance) take(glance, found);
        }
    }
  return found;
}

function party(): Party {
  return {
    head: undefined,
    first: undefined,
    last: undefined,
    messages: 0,
    prompt: undefined,
    answer: undefined,
    lines: [],
    call: undefined,
    parent: undefined,
    compaction: undefined,
    results: new Map(),
  };
}

function usualGlance({ bytes, ended, offset, length }: Line): Glance | undefined {
  if (!bytes || !ended || bytes.at(-1) !== 0x7d) return undefined;
  const head = USUAL_HEAD.exec(bytes.toString("latin1", 0, HEAD));
  // A line that holds a second record, after a whole or a cut one, or NULs, begins as any other does.
  if (!head || bytes.indexOf(SECOND, 1) !== -1 || bytes.includes(0)) return undefined;
  const tail = USUAL_TAIL.exec(bytes.toString("latin1", Math.max(0, bytes.length - TAIL)));
  if (!tail) return undefined;
  const [, agent, time] = tail;
  return { type: head[1] ?? "", agent, time, bytes, record: undefined, offset, length };
}

function glanceOf(piece: Piece): Glance | undefined {
  const record = piece.ok ? fields(piece.value) : undefined;
  const type = string(record?.type);
  if (!record || type === undefined) return undefined;
  const { offset, length } = piece;
  return {
    type,
    agent: name(record.agentId),
    time: string(record.timestamp),
    bytes: undefined,
    record,
    offset,
    length,
  };
}

function take(glance: Glance, found: Scan): void {
  found.known++;
  const { type, agent, offset, length } = glance;
  const place = { offset, length };
  let at = found.own;
  if (agent !== undefined) {
    at = found.agents.get(agent) ?? party();
    if (!found.agents.has(agent)) found.agents.set(copyOf(agent), at);
    at.lines.push(offset, length);
  }
  switch (type) {
    case "session.start":
      at.head ??= place;
      return;
    case "user.message":
    case "assistant.message":
      said(glance, at);
      return;
    case "tool.execution_start":
      if (string(dataOf(glance).toolName) === TASK) found.callers.set(callOf(glance), agent);
      return;
    case "tool.execution_complete": {
      timed(glance, at);
      const call = callOf(glance);
      const results = at.results.get(call);
      if (results) results.push(place);
      else at.results.set(call, [place]);
      return;
    }
    case "session.binary_asset": {
      const id = string(dataOf(glance).assetId);
      if (id !== undefined && !found.assets.has(id)) found.assets.set(id, place);
      return;
    }
    case "subagent.started":
      at.head ??= place;
      at.call ??= name(dataOf(glance).toolCallId);
      at.parent ??= name(dataOf(glance).parentId);
      return;
    case "session.compaction_complete":
      if (summaryIn(dataOf(glance)) !== undefined) at.compaction = place;
      return;
    case "session.title_changed":
      if (agent === undefined) found.title = place;
      return;
    case "session.info": {
      const { infoType, message } = dataOf(glance);
      const fork =
        infoType === "fork" ? /\(([0-9a-f-]{36})\)\.?$/.exec(string(message) ?? "")?.[1] : undefined;
      if (fork !== undefined) found.forks.push(fork);
    }
  }
}

/** The tool that starts a subagent. */
export const TASK = "task";

const OWN = Buffer.from('"asp":{');
const SOURCE = Buffer.from('"source":"');
/** An answer of calls alone. */
const NOTHING = Buffer.from('"content":""');

function said(glance: Glance, at: Party): void {
  timed(glance, at);
  const { type, offset, length, bytes } = glance;
  const isPrompt = type === "user.message";
  if (!bytes || bytes.includes(OWN) || (isPrompt && bytes.includes(SOURCE))) {
    const data = dataOf(glance);
    const asp = fields(data.asp) ?? {};
    if (asp.continues === true || asp.kept === true || asp.injected !== undefined) return;
    if (isPrompt && isInjected(data)) return;
  }
  if (isPrompt || !bytes?.includes(NOTHING)) at.messages++;
  if (isPrompt) at.prompt ??= { offset, length };
  else at.answer = { offset, length };
}

/** What a compaction made of the talk before it; undefined: it came to nothing, and the program leaves all as it was. */
export function summaryIn({ success, summaryContent }: Fields): string | undefined {
  return success === true ? name(summaryContent) : undefined;
}

/** Was it put in by the program in the person's place? What an agent says to its subagent is that one's prompt. */
export function isInjected({ source }: Fields): boolean {
  return typeof source === "string" && /^(?:skill-|system|command-)/.test(source);
}

function timed({ time }: Glance, at: Party): void {
  const ms = timeOf(time);
  if (ms === undefined) return;
  if (at.first === undefined || ms < at.first) at.first = ms;
  if (at.last === undefined || ms > at.last) at.last = ms;
}

function dataOf({ record, bytes }: Glance): Fields {
  return fields((record ?? (bytes && recordIn(bytes)))?.data) ?? {};
}

const CALL = /^\{"type":"[\w.]+","data":\{"toolCallId":"([^"\\]*)"/;

function callOf(glance: Glance): string {
  const usual = glance.bytes && CALL.exec(glance.bytes.toString("latin1", 0, TAIL))?.[1];
  // Beyond ASCII it is not Latin-1.
  if (usual !== undefined && /^[\x20-\x7e]*$/.test(usual)) return copyOf(usual);
  return string(dataOf(glance).toolCallId) ?? "";
}

/** ms since 1970; undefined for what is no time. */
export function timeOf(value: unknown): number | undefined {
  const ms = Date.parse(isoTime(value) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

export function recordAt(file: OpenFile, { offset, length }: Place): Fields {
  return recordIn(file.read(offset, length));
}

export function recordIn(bytes: Uint8Array): Fields {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return fields(parsed(text.replace(/^\uFEFF/, ""))) ?? {};
}

/** A part of a text keeps the whole of it in memory: what stays is copied. */
function copyOf(part: string): string {
  return Buffer.from(part, "latin1").toString("latin1");
}
