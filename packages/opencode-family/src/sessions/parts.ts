/** Parts of a message → blocks, and a tool part's state → its result. */
import type { Block, ImageBlock, ReferenceBlock, ToolResultPayload } from "@asp-convert/core";
import { type Fields, fields, list, name, number, string } from "../json.js";
import { CLEARED_RESULT, INTERRUPTED_RESULT, NATIVE } from "../native.js";

/** Our own data in a part's metadata. */
export function aspOf(part: Fields): Fields | undefined {
  return fields(fields(part.metadata)?.asp);
}

/** The metadata of a part without our own; undefined: none. */
export function metadataOf(part: Fields): Fields | undefined {
  const metadata = fields(part.metadata);
  if (!metadata) return undefined;
  const { asp: _, ...rest } = metadata;
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function withMetadata(block: Block, part: Fields): Block[] {
  const metadata = metadataOf(part);
  return metadata ? [block, { type: "unknown", nativeType: NATIVE.metadata, value: metadata }] : [block];
}

export function textBlocks(part: Fields): Block[] {
  return withMetadata({ type: "text", text: string(part.text) ?? "" }, part);
}

/**
 * Reasoning. An Anthropic signature is one; any other metadata (encrypted content, item ids, redacted thinking)
 * stays as it is. Reasoning that a conversion brought is in our own metadata: the program itself must not see it.
 */
export function thinkingBlocks(part: Fields): Block[] {
  const carried = fields(aspOf(part)?.thinking);
  if (carried) {
    const signature = string(carried.signature);
    const opaque = list(carried.opaque).filter(isUnknown);
    const text = string(carried.text);
    const thinking: Block[] =
      text === undefined ? [] : [{ type: "thinking", text, ...(signature !== undefined && { signature }) }];
    return [...thinking, ...opaque];
  }
  const text = string(part.text) ?? "";
  const metadata = metadataOf(part);
  const signature = signatureOf(metadata);
  // Without a text the metadata is all there is; it says so, to be told from metadata of the block before it.
  if (text === "" && metadata && signature === undefined) {
    return [{ type: "unknown", nativeType: NATIVE.metadata, value: { text, ...metadata } }];
  }
  const block: Block = { type: "thinking", text, ...(signature !== undefined && { signature }) };
  return signature === undefined ? withMetadata(block, part) : [block];
}

function isUnknown(value: unknown): value is Block & { type: "unknown" } {
  return fields(value)?.type === "unknown" && typeof fields(value)?.nativeType === "string";
}

/** `{anthropic: {signature}}` and nothing else. */
function signatureOf(metadata: Fields | undefined): string | undefined {
  if (!metadata || Object.keys(metadata).length !== 1) return undefined;
  const anthropic = fields(metadata.anthropic);
  return anthropic && Object.keys(anthropic).length === 1 ? string(anthropic.signature) : undefined;
}

/** True for files that the program itself does not send: their text stands beside them. */
export function isUnsentFile(part: Fields): boolean {
  const mime = string(part.mime);
  return mime === "text/plain" || mime === "application/x-directory";
}

export function fileBlock(part: Fields): ImageBlock | ReferenceBlock {
  const mime = name(part.mime);
  const url = string(part.url) ?? "";
  const title = name(part.filename);
  const data = /^data:[^,]*;base64,/.exec(url) ? url.slice(url.indexOf(",") + 1) : undefined;
  if (mime?.startsWith("image/")) {
    return {
      type: "image",
      mimeType: mime,
      ...(data === undefined ? { uri: url } : { data }),
      ...(title !== undefined && { alt: title }),
    };
  }
  return {
    type: "reference",
    uri: data === undefined ? url : (title ?? ""),
    ...(title !== undefined && { title }),
    ...(mime !== undefined && { mediaType: mime }),
    ...(data !== undefined && { data }),
  };
}

export function callBlocks(part: Fields): Block[] {
  const asp = aspOf(part);
  const state = fields(part.state);
  const namespace = string(asp?.namespace);
  return withMetadata(
    {
      type: "tool-call",
      toolCallId: string(asp?.callID) ?? string(part.callID) ?? "",
      name: string(asp?.tool) ?? string(part.tool) ?? "",
      ...inputOf(asp, state?.input),
      ...(namespace !== undefined && { namespace }),
    },
    part,
  );
}

/** An input that had to be wrapped to be an object, taken out again. */
function inputOf(asp: Fields | undefined, input: unknown): { arguments: unknown; freeform?: true } {
  const wrapped = asp?.wrapped;
  if (wrapped !== true && wrapped !== "freeform") return { arguments: input ?? {} };
  return {
    arguments: fields(input)?.input ?? null,
    ...(wrapped === "freeform" && { freeform: true as const }),
  };
}

/** What the model is sent for a tool part. `detail` holds the rest of the state. */
export function resultOf(part: Fields): ToolResultPayload {
  const asp = aspOf(part);
  const toolCallId = string(asp?.callID) ?? string(part.callID) ?? "";
  const state = fields(part.state) ?? {};
  const { input: _, output, error, attachments, ...rest } = state;
  const metadata = fields(state.metadata);
  const time = fields(state.time);
  const made = (
    result: Block[],
    isError: boolean,
    more: Partial<ToolResultPayload> = {},
  ): ToolResultPayload => ({
    toolCallId,
    result,
    isError,
    detail: rest,
    ...more,
  });
  const text = (value: unknown): Block => ({ type: "text", text: string(value) ?? "" });
  const synthetic = asp?.synthetic === true ? { synthetic: true } : {};
  switch (state.status) {
    case "completed": {
      const files = list(attachments)
        .map(fields)
        .filter((file) => file !== undefined);
      if (number(time?.compacted) !== undefined)
        return made([text(CLEARED_RESULT)], false, {
          detail: { ...rest, output, ...(attachments !== undefined && { attachments }) },
        });
      return made([text(output), ...files.map(fileBlock)], asp?.isError === true, synthetic);
    }
    case "error":
      // A result that was there when the person stopped it is what the model is sent.
      return metadata?.interrupted === true && typeof metadata.output === "string"
        ? made([text(metadata.output)], false, { detail: { ...rest, error } })
        : made([text(error)], true, synthetic);
    default:
      return made([text(INTERRUPTED_RESULT)], true, { synthetic: true });
  }
}
