/** Blocks → parts, and results → states of tool parts. */
import {
  type Block,
  isBlank,
  type LossLedger,
  legalId,
  type SessionAxis,
  type ToolResultPayload,
} from "@asp-convert/core";
import { type Fields, fields, list, name, number, string } from "../json.js";
import { CLEARED_RESULT, INTERRUPTED_RESULT, NATIVE } from "../native.js";
import type { DraftPart } from "./draft.js";

export interface Encoding {
  ledger: LossLedger;
  /** The source is a program of this family: its own parts are its own again. */
  native: boolean;
  /** Ordinal of the record at hand, for losses. */
  record: number | undefined;
}

type Level = "partial" | "evidence-only" | "dropped";
type Reason = Parameters<LossLedger["note"]>[0]["reason"];

export function note({ ledger, record }: Encoding, axis: SessionAxis, level: Level, reason: Reason): void {
  ledger.note({ axis, level, reason }, record);
}

/** Parts of a person's message. `synthetic`: the program put it there. `ignored`: shown, never sent. */
export function userParts(
  blocks: readonly Block[],
  flags: { synthetic?: true; ignored?: true; metadata?: Fields },
  encoding: Encoding,
): DraftPart[] {
  const parts: DraftPart[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        if (isBlank(block.text) && !encoding.native) note(encoding, "messages", "dropped", "empty");
        else parts.push({ data: { type: "text", text: block.text, ...flags } });
        break;
      case "image":
        if (isLocal(block)) {
          // The program reads a file when it is mentioned, not when the session goes on.
          note(encoding, "images", "evidence-only", "not-supported");
          parts.push(...referenceParts({ type: "reference", uri: block.uri ?? "" }, encoding));
          break;
        }
        parts.push({ data: picture(block, encoding) });
        break;
      case "reference":
        parts.push(...referenceParts(block, encoding));
        break;
      case "unknown":
        takeUnknown(block, parts, encoding);
        break;
      case "error":
        note(encoding, "errors", "evidence-only", "no-counterpart");
        break;
      default:
        note(
          encoding,
          block.type === "thinking" ? "thinking" : "tool-calls",
          "evidence-only",
          "not-supported",
        );
    }
  }
  return parts;
}

/** A file of the source as it is sent: pictures and documents as files, other texts as text. */
function referenceParts(block: Block & { type: "reference" }, encoding: Encoding): DraftPart[] {
  const { uri, title, mediaType, data, text } = block;
  if (text !== undefined) {
    // A text file would be shown and not sent: the program itself puts the text beside it.
    note(encoding, "documents", "partial", "re-encoded");
    return isBlank(text) ? [] : [{ data: { type: "text", text, synthetic: true } }];
  }
  encoding.ledger.keep("documents");
  const filename = title ?? name(uri.split(/[/\\]/).at(-1));
  const named = filename === undefined ? {} : { filename };
  if (data !== undefined) {
    const mime = mediaType ?? "application/octet-stream";
    return [{ data: { type: "file", mime, ...named, url: `data:${mime};base64,${data}` } }];
  }
  // Only pointed at: shown, as the program shows a file that was mentioned.
  const url = URL.canParse(uri) ? uri : `file://${uri.split(/[/\\]/).map(encodeURIComponent).join("/")}`;
  return [{ data: { type: "file", mime: "text/plain", ...named, url } }];
}

function isLocal({ uri, data }: Block & { type: "image" }): boolean {
  return data === undefined && uri !== undefined && !/^(https?|data):/i.test(uri);
}

/** Of a picture the program keeps the bytes, their type and a name: not how closely it was looked at. */
const KNOWN = new Set(["type", "data", "uri", "mimeType", "alt"]);

function picture(block: Block & { type: "image" }, encoding: Encoding): Record<string, unknown> {
  encoding.ledger.keep("images");
  if (Object.keys(block).some((key) => !KNOWN.has(key)))
    note(encoding, "images", "evidence-only", "no-counterpart");
  return filePart(block);
}

function filePart({ mimeType, data, uri, alt }: Block & { type: "image" }): Record<string, unknown> {
  const mime = mimeType ?? "image/png";
  const url = uri ?? `data:${mime};base64,${data ?? ""}`;
  return { type: "file", mime, ...(alt !== undefined && { filename: alt }), url };
}

/** What this family alone reads goes back to where it was; what nobody else reads stays behind. */
function takeUnknown(block: Block & { type: "unknown" }, parts: DraftPart[], encoding: Encoding): void {
  const value = fields(block.value);
  if (encoding.native && value && block.nativeType === NATIVE.part) {
    // These two stand for the text before them: the program makes it anew.
    if (value.type === "compaction" || value.type === "subtask") parts.pop();
    parts.push({ data: { ...value } });
    return;
  }
  if (encoding.native && value && block.nativeType === NATIVE.metadata) {
    takeMetadata(value, parts);
    return;
  }
  note(
    encoding,
    "opaque-reasoning",
    "evidence-only",
    isReasoning(block.nativeType) || /encrypt/.test(block.nativeType) ? "encrypted" : "no-counterpart",
  );
}

function takeMetadata(value: Fields, parts: DraftPart[]): void {
  if ("text" in value) {
    const { text, ...metadata } = value;
    parts.push({ data: { type: "reasoning", text, metadata, time: { start: 0 } } });
    return;
  }
  const last = parts.at(-1)?.data;
  if (last) last.metadata = { ...fields(last.metadata), ...value };
}

export interface Call {
  part: DraftPart;
  /** As the source calls it. */
  id: string;
}

/** Parts of an answer. */
export function assistantParts(
  blocks: readonly Block[],
  names: CallNames,
  time: number,
  encoding: Encoding,
): { parts: DraftPart[]; calls: Call[]; error?: Block & { type: "error" } } {
  const parts: DraftPart[] = [];
  const calls: Call[] = [];
  let error: (Block & { type: "error" }) | undefined;
  let thought: Record<string, unknown> | undefined; // foreign reasoning, gathered in one part's metadata
  for (const block of blocks) {
    if (block.type !== "unknown" && block.type !== "thinking") thought = undefined;
    switch (block.type) {
      case "text":
        if (isBlank(block.text) && !encoding.native) note(encoding, "messages", "dropped", "empty");
        else parts.push({ data: { type: "text", text: block.text, time: { start: time, end: time } } });
        break;
      case "thinking":
        if (encoding.native) parts.push({ data: ownReasoning(block, time, encoding) });
        else thought = carry(parts, block, thought, time, encoding);
        break;
      case "tool-call": {
        const part = { data: callPart(block, names, time, encoding) };
        parts.push(part);
        calls.push({ part, id: block.toolCallId });
        break;
      }
      case "error":
        error = block;
        break;
      case "unknown":
        if (!encoding.native && isReasoning(block.nativeType)) {
          thought = carry(parts, block, thought, time, encoding);
          note(encoding, "opaque-reasoning", "evidence-only", "encrypted");
        } else takeUnknown(block, parts, encoding);
        break;
      case "image":
        note(encoding, "images", "evidence-only", "not-supported");
        break;
      case "reference":
        note(encoding, "documents", "evidence-only", "not-supported");
        break;
      default:
        note(encoding, "tool-results", "partial", "orphan-result");
    }
  }
  return { parts, calls, ...(error && { error }) };
}

function isReasoning(nativeType: string): boolean {
  return /reason|think/i.test(nativeType);
}

function ownReasoning(
  { text, signature }: Block & { type: "thinking" },
  time: number,
  encoding: Encoding,
): Record<string, unknown> {
  encoding.ledger.keep("thinking");
  return {
    type: "reasoning",
    text,
    time: { start: time, end: time },
    ...(signature !== undefined && { metadata: { anthropic: { signature } } }),
  };
}

/**
 * Reasoning of another harness. As a text the program would send it to any model but its own as part of the answer;
 * so the part is empty, which is sent to nobody, and the words are in our own metadata, for the way back.
 */
function carry(
  parts: DraftPart[],
  block: Block & { type: "thinking" | "unknown" },
  before: Record<string, unknown> | undefined,
  time: number,
  encoding: Encoding,
): Record<string, unknown> {
  // One part for a text and the opaque blocks that come with it; the next text begins another one.
  let thought = before;
  if (!thought || (block.type === "thinking" && ("text" in thought || "opaque" in thought))) {
    thought = {};
    parts.push({
      data: {
        type: "reasoning",
        text: "",
        time: { start: time, end: time },
        metadata: { asp: { thinking: thought } },
      },
    });
  }
  if (block.type === "thinking") {
    note(encoding, "thinking", "evidence-only", "not-supported");
    if (block.signature !== undefined)
      note(encoding, "opaque-reasoning", "evidence-only", "foreign-signature");
    thought.text = block.text;
    if (block.signature !== undefined) thought.signature = block.signature;
  } else thought.opaque = [...list(thought.opaque), block];
  return thought;
}

/** Legal names and ids of calls, each id once in a session, the same for the call and its result. */
export class CallNames {
  readonly #used = new Set<string>();

  /** @returns the id to write. */
  take(id: string): string {
    const legal = legalId(id);
    let unique = legal;
    for (let n = 2; this.#used.has(unique); n++) unique = legalId(`${legal.slice(0, 56)}_${n}`);
    this.#used.add(unique);
    return unique;
  }
}

function callPart(
  block: Block & { type: "tool-call" },
  names: CallNames,
  time: number,
  encoding: Encoding,
): Record<string, unknown> {
  const { toolCallId, name: tool, arguments: input, freeform, namespace } = block;
  encoding.ledger.keep("tool-calls");
  // The program passes ids through as they are; its own may hold what others' may not.
  const callID = encoding.native ? toolCallId : names.take(toolCallId);
  const written = encoding.native ? tool : legalId(namespace === undefined ? tool : joined(namespace, tool));
  const object = fields(input);
  const asp: Record<string, unknown> = {};
  if (callID !== toolCallId) {
    asp.callID = toolCallId;
    note(encoding, "ids", "partial", legalId(toolCallId) === toolCallId ? "duplicate-id" : "id-not-legal");
  }
  if (written !== tool) asp.tool = tool;
  if (namespace !== undefined) asp.namespace = namespace;
  if (!object) asp.wrapped = freeform ? "freeform" : true;
  return {
    type: "tool",
    callID,
    tool: written,
    state: { status: "pending", input: object ?? { input: input ?? null }, raw: "", at: time },
    ...(Object.keys(asp).length > 0 && { metadata: { asp } }),
  };
}

/** MCP tools are `<server>_<tool>` here. */
function joined(namespace: string, tool: string): string {
  return tool.startsWith(namespace) ? tool : `${namespace}_${tool}`;
}

/** Puts a result into its call's part. */
export function answer(part: DraftPart, result: ToolResultPayload, time: number, encoding: Encoding): void {
  const { data } = part;
  const state = fields(data.state) ?? {};
  const start = number(state.at) ?? number(fields(state.time)?.start) ?? time;
  const detail = fields(result.detail);
  if (encoding.native && detail && name(detail.status) !== undefined) {
    data.state = ownState(state, result, detail, encoding);
    encoding.ledger.keep("tool-details");
    return;
  }
  if (result.detail !== undefined) note(encoding, "tool-details", "evidence-only", "no-counterpart");
  const output = textOf(result.result);
  const attachments = result.result.filter((block) => block.type === "image");
  for (const block of result.result) if (!isSent(block)) noteLost(block, encoding);
  if (result.result.filter(({ type }) => type === "text").length > 1)
    note(encoding, "tool-results", "partial", "merged");
  const made = { input: state.input, time: { start: Math.min(start, time), end: time } };
  if (result.synthetic) {
    setAsp(data, { synthetic: true });
    note(encoding, "tool-results", "partial", "missing-result");
  }
  if (result.isError) {
    if (attachments.length > 0) note(encoding, "images", "evidence-only", "not-supported");
    data.state = { status: "error", ...made, error: output };
    return;
  }
  data.state = {
    status: "completed",
    input: made.input,
    output,
    title: titleOf(fields(state.input)),
    metadata: {},
    time: made.time,
    ...(attachments.length > 0 && { attachments: attachments.map((image) => picture(image, encoding)) }),
  };
}

function isSent(block: Block): boolean {
  return (
    block.type === "text" ||
    block.type === "image" ||
    (block.type === "reference" && block.text !== undefined)
  );
}

const LOST: { readonly [type in Block["type"]]?: SessionAxis } = {
  reference: "documents",
  thinking: "thinking",
  unknown: "opaque-reasoning",
};

function noteLost(block: Block, encoding: Encoding): void {
  note(encoding, LOST[block.type] ?? "tool-results", "evidence-only", "not-supported");
}

function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) =>
      block.type === "text"
        ? [block.text]
        : block.type === "reference" && block.text !== undefined
          ? [block.text]
          : block.type === "error"
            ? [block.message]
            : [],
    )
    .join("\n");
}

/** The state as it was, with what the model was sent of it put back in its place. */
function ownState(
  before: Fields,
  result: ToolResultPayload,
  detail: Fields,
  encoding: Encoding,
): Record<string, unknown> {
  const text = textOf(result.result);
  const { status } = detail;
  const state: Record<string, unknown> = { ...detail, status, input: before.input };
  if (status === "completed" && text !== CLEARED_RESULT) state.output = string(detail.output) ?? text;
  if (status === "completed") state.title = string(detail.title) ?? "";
  if (status === "error") state.error = string(detail.error) ?? text;
  const attachments = result.result.flatMap((block) =>
    block.type === "image"
      ? [picture(block, encoding)]
      : block.type === "reference"
        ? referenceParts(block, encoding).map(({ data }) => data)
        : [],
  );
  if (attachments.length > 0) state.attachments = attachments;
  return state;
}

/** A call that never got a result. */
export function leaveOpen(part: DraftPart, time: number, encoding: Encoding): void {
  const state = fields(part.data.state);
  if (state?.status !== "pending") return;
  note(encoding, "tool-results", "partial", "missing-result");
  setAsp(part.data, { synthetic: true });
  part.data.state = {
    status: "error",
    input: state.input,
    error: INTERRUPTED_RESULT,
    time: { start: number(state.at) ?? time, end: time },
  };
}

function setAsp(data: Record<string, unknown>, values: Fields): void {
  const metadata = fields(data.metadata);
  data.metadata = { ...metadata, asp: { ...fields(metadata?.asp), ...values } };
}

/** What the program shows beside a tool's name: its most telling argument, in short. */
function titleOf(input: Fields | undefined): string {
  for (const key of ["description", "command", "file_path", "filePath", "path", "pattern", "query", "url"]) {
    const value = name(input?.[key]);
    if (value !== undefined) return value.replace(/\s+/g, " ").slice(0, 80).toWellFormed();
  }
  return "";
}
