/** Results → states of tool parts. */
import type { Block, SessionAxis, ToolResultPayload } from "@asp-convert/core";
import { type Fields, fields, name, number, string } from "../json.js";
import { CLEARED_RESULT, INTERRUPTED_RESULT } from "../native.js";
import type { DraftPart } from "./draft.js";
import { type Encoding, note } from "./encoding.js";
import { picture, referenceParts } from "./files.js";

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
