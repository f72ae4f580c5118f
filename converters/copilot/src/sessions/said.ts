/** Portable blocks of what was said, as the data of the program's events. An event holds one text. */
import {
  type Axis,
  type Block,
  type ImageBlock,
  isBlank,
  type LossLedger,
  legalToolName,
  type ReferenceBlock,
  wellFormed,
} from "@asp-convert/core";
import { type Fields, fields } from "@asp-convert/core/values";
import { EXTRAS, REASONING } from "./answer.js";
import { PICTURE, PICTURE_AT } from "./parts.js";

/** Where what is left out is said. */
export interface Said {
  ledger: LossLedger;
  record: number | undefined;
  /** It comes from Copilot CLI: opaque things go back to where they came from. */
  isNative: boolean;
}

export interface Data {
  [key: string]: unknown;
}

/** Half a surrogate pair is no text that a vendor takes. */
export function clean(text: string, { ledger, record }: Said): string {
  const whole = wellFormed(text);
  if (whole !== text) ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
  return whole;
}

/** Is it a text that can be said? Of blanks, it is told that they are gone; nothing at all is nothing lost. */
function isSaid(text: string, axis: Axis, { ledger, record }: Said): boolean {
  if (!isBlank(text)) return true;
  if (text !== "") ledger.note({ axis, level: "dropped", reason: "empty" }, record);
  return false;
}

export interface Prompt {
  content: string;
  attachments: Data[];
  /** A text that stands there for want of one. */
  isFiller: boolean;
}

/** What a person said: texts, each with the pictures and files that come after it. */
export function promptsOf(blocks: readonly Block[], axis: Axis, assetFor: AssetFor, said: Said): Prompt[] {
  const prompts: Prompt[] = [];
  const attach = (attachment: Data) => {
    if (prompts.length === 0) prompts.push({ content: PICTURE, attachments: [], isFiller: true });
    prompts.at(-1)?.attachments.push(attachment);
  };
  const say = (text: string) => {
    if (isSaid(text, axis, said))
      prompts.push({ content: clean(text, said), attachments: [], isFiller: false });
  };
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i] as Block;
    const next = blocks[i + 1];
    switch (block.type) {
      case "text": {
        const labelled = next?.type === "image" && labelledPicture(block.text, next, assetFor, said);
        if (labelled) {
          attach(labelled);
          i++;
        } else say(block.text);
        break;
      }
      case "image":
      case "reference": {
        const attachment = attachmentFor(block, say, said);
        if (attachment) attach(attachment);
        break;
      }
      case "error":
        noteError(block, said);
        say(block.message);
        break;
      case "unknown": {
        const own =
          said.isNative && block.nativeType === "copilot.attachment" ? fields(block.value) : undefined;
        if (own) attach({ ...own });
        noteOpaque(own !== undefined, said);
        break;
      }
      default:
        noteUnsupported(block, said);
    }
  }
  return prompts;
}

/** Keeps the bytes of a picture and gives the id that they are known by. */
export type AssetFor = (data: string, mimeType: string) => { assetId: string; byteLength: number };

/** The program puts a text before each picture: one that is the same is not said twice. */
function labelledPicture(label: string, image: ImageBlock, assetFor: AssetFor, said: Said): Data | undefined {
  const { data, alt, mimeType = "image/png" } = image;
  if (data === undefined) return undefined;
  if (label.startsWith(PICTURE_AT)) {
    const path = clean(label.slice(PICTURE_AT.length), said);
    const displayName = clean(alt ?? path.replace(/^.*[/\\]/, ""), said);
    said.ledger.keep("images");
    return { type: "file", path, displayName, ...assetFor(data, mimeType), mimeType };
  }
  if (label === "" || label !== alt) return undefined;
  said.ledger.keep("images");
  return { type: "blob", data, mimeType, displayName: clean(alt, said) };
}

const DATA = /^data:([^;,]+);base64,(.+)$/s;
const BYTES_KEYS = new Set(["type", "data", "uri", "mimeType", "mediaType"]);

/** Bytes with their type. @param say for a document that is a text. */
function attachmentFor(
  block: ImageBlock | ReferenceBlock,
  say: (text: string) => void,
  { ledger, record }: Said,
): Data | undefined {
  const isImage = block.type === "image";
  const axis = isImage ? "images" : "documents";
  const [, typeInside, dataInside] = DATA.exec(block.uri ?? "") ?? [];
  const data = block.data ?? dataInside;
  if (data === undefined && !isImage && block.text !== undefined) {
    ledger.keep(axis);
    ledger.note({ axis, level: "partial", reason: "re-encoded" }, record);
    say(block.text);
    return undefined;
  }
  if (data === undefined) {
    ledger.note({ axis, level: "evidence-only", reason: "not-supported" }, record);
    return undefined;
  }
  ledger.keep(axis);
  const title = isImage ? undefined : (block.title ?? (block.uri === "document" ? undefined : block.uri));
  const isNamed = isImage ? dataInside === undefined && block.uri !== undefined : dataInside !== undefined;
  if (isNamed || Object.keys(block).some((key) => !BYTES_KEYS.has(key) && key !== "title"))
    ledger.note({ axis, level: "evidence-only", reason: "no-counterpart" }, record);
  return {
    type: "blob",
    data,
    mimeType:
      typeInside ?? (isImage ? (block.mimeType ?? "image/png") : (block.mediaType ?? "application/pdf")),
    ...(title !== undefined && { displayName: wellFormed(title) }),
  };
}

export interface AnswerOptions extends Said {
  callId: (toolCallId: string) => string;
}

/** How far an event has come: it holds thoughts, then a text, then calls. */
const THOUGHT = 1;
const TEXT = 2;
const CALLS = 3;

/** What the model said: an event for each text, with the thoughts before it and the calls after it. */
export function answersOf(blocks: readonly Block[], options: AnswerOptions): Data[] {
  const { ledger, record, isNative, callId } = options;
  const answers: Data[] = [];
  let reached = 0;
  const upTo = (stage: number): Data => {
    const isOver = stage < reached || (stage === reached && stage !== CALLS);
    if (answers.length === 0 || isOver) answers.push({ content: "" });
    reached = stage;
    return answers.at(-1) as Data;
  };
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        if (isSaid(block.text, "messages", options)) upTo(TEXT).content = clean(block.text, options);
        break;
      case "thinking":
        if (block.signature !== undefined)
          ledger.note(
            { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" },
            record,
          );
        if (!isSaid(block.text, "thinking", options)) break;
        upTo(THOUGHT).reasoningText = clean(block.text, options);
        ledger.keep("thinking");
        break;
      case "tool-call": {
        const data = upTo(CALLS);
        const { name: tool, namespace } = block;
        const name = legalToolName(namespace === undefined ? tool : `${namespace}__${tool}`, ledger, record);
        const call = {
          toolCallId: callId(block.toolCallId),
          name,
          arguments: block.arguments ?? {},
          type: block.freeform ? "custom" : "function",
        };
        data.toolRequests = [...((data.toolRequests as Data[] | undefined) ?? []), call];
        ledger.keep("tool-calls");
        break;
      }
      case "unknown": {
        const own =
          isNative && (block.nativeType === REASONING || block.nativeType === EXTRAS)
            ? fields(block.value)
            : undefined;
        if (own) Object.assign(answers.at(-1) ?? upTo(THOUGHT), own);
        noteOpaque(own !== undefined, options);
        break;
      }
      case "error":
        noteError(block, options);
        if (isSaid(block.message, "errors", options)) upTo(TEXT).content = clean(block.message, options);
        break;
      default:
        noteUnsupported(block, options);
    }
  }
  return answers;
}

/** A result: one text, and pictures. */
export function resultOf(blocks: readonly Block[], said: Said): { content: string; binary: Data[] } {
  const { ledger, record } = said;
  const texts: string[] = [];
  const binary: Data[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        if (isSaid(block.text, "tool-results", said)) texts.push(clean(block.text, said));
        break;
      case "error":
        noteError(block, said);
        texts.push(clean(block.message, said));
        break;
      case "image":
      case "reference": {
        const attachment = attachmentFor(block, (text) => texts.push(clean(text, said)), said);
        if (!attachment) break;
        const { data, mimeType, displayName } = attachment;
        const type = block.type === "image" ? "image" : "resource";
        binary.push({ type, data, mimeType, ...(displayName !== undefined && { description: displayName }) });
        break;
      }
      case "unknown": {
        const own = said.isNative && block.nativeType === "copilot.binary" ? fields(block.value) : undefined;
        if (own) binary.push({ ...own });
        noteOpaque(own !== undefined, said);
        break;
      }
      default:
        noteUnsupported(block, said);
    }
  }
  if (texts.length > 1) ledger.note({ axis: "tool-results", level: "partial", reason: "merged" }, record);
  return { content: texts.join("\n"), binary };
}

function noteOpaque(isKept: boolean, { ledger, record }: Said): void {
  if (isKept) ledger.keep("opaque-reasoning");
  else ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, record);
}

/** The words of an error are kept. */
function noteError({ code, detail }: Extract<Block, { type: "error" }>, { ledger, record }: Said): void {
  ledger.keep("errors");
  if (code !== undefined || detail !== undefined)
    ledger.note({ axis: "errors", level: "evidence-only", reason: "no-counterpart" }, record);
}

function noteUnsupported({ type }: Block, { ledger, record }: Said): void {
  const axis =
    type === "thinking"
      ? "thinking"
      : type === "tool-call"
        ? "tool-calls"
        : type === "image"
          ? "images"
          : type === "reference"
            ? "documents"
            : "tool-results";
  ledger.note({ axis, level: "evidence-only", reason: "not-supported" }, record);
}

/** What the person saw of a failure, as the event that the program tells it by; undefined: there is none. */
export function errorOf(blocks: readonly Block[], said: Said): Data | undefined {
  const error = blocks.find((block) => block.type === "error");
  if (!error) return undefined;
  said.ledger.keep("errors");
  const detail: Fields = (said.isNative && fields(error.detail)) || {};
  if (!said.isNative && error.detail !== undefined)
    noteError({ type: "error", message: "", detail: 1 }, said);
  return { ...detail, errorType: error.code ?? "query", message: clean(error.message, said) };
}
