/**
 * Content blocks: ours ⇄ ACP's. What ACP's block has no field for is in that block's own `_meta.asp`; a block that it
 * has no kind for has none here.
 */
import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Block } from "@asp-convert/core";
import { type Fields, fields, string } from "@asp-convert/core/values";
import { aspOf } from "./meta.js";

type Audience = ("user" | "assistant")[];

/** Keys of a block that its form has; others, a program's own, are carried beside them. */
const known: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["text", "signature"],
  image: ["data", "mimeType", "uri", "alt"],
  reference: ["uri", "title", "mediaType", "data", "text"],
  error: ["message", "code", "detail"],
};

/** undefined: ACP has no content like it. */
export function contentOf(block: Block, audience?: Audience): ContentBlock | undefined {
  const content = formOf(block, audience);
  const { type, ...values } = block;
  const more = Object.entries(values).filter(([key]) => !known[type]?.includes(key));
  if (!content || more.length === 0) return content;
  return { ...content, ...asp({ ...aspOf(content as Fields), more: Object.fromEntries(more) }) };
}

function formOf(block: Block, audience: Audience | undefined): ContentBlock | undefined {
  const shown = audience && { annotations: { audience } };
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...shown };
    case "thinking": {
      const { text, signature } = block;
      return { type: "text", text, ...shown, ...(signature !== undefined && asp({ signature })) };
    }
    case "image": {
      const { data, mimeType, uri, alt } = block;
      if (data === undefined || mimeType === undefined) return undefined;
      return {
        type: "image",
        data,
        mimeType,
        ...(uri !== undefined && { uri }),
        ...shown,
        ...(alt !== undefined && asp({ alt })),
      };
    }
    case "reference": {
      const { uri, title, mediaType, data, text } = block;
      const mime = mediaType !== undefined && { mimeType: mediaType };
      if (data !== undefined && text !== undefined) return undefined;
      if (data === undefined && text === undefined)
        return {
          type: "resource_link",
          uri,
          name: title ?? uri,
          ...mime,
          ...shown,
          ...(title === undefined && asp({ named: false })),
        };
      const resource = { uri, ...mime, ...(text !== undefined ? { text } : { blob: data ?? "" }) };
      return { type: "resource", resource, ...shown, ...(title !== undefined && asp({ title })) };
    }
    case "error": {
      const { message, code, detail } = block;
      const error = { ...(code !== undefined && { code }), ...(detail !== undefined && { detail }) };
      return { type: "text", text: message, ...shown, ...asp({ error }) };
    }
    default:
      return undefined;
  }
}

function asp(values: Fields): { _meta: { asp: Fields } } {
  return { _meta: { asp: values } };
}

/**
 * The block that an ACP content is. `thought`: as a thought. `left`: keys that it has no place for, as they were.
 * What is no content that we know is an unknown block with all it holds.
 */
export function blockOf(content: unknown, thought = false): { block: Block; left?: Fields } {
  const read = plainBlockOf(content, thought);
  const more = fields(aspOf(fields(content) ?? {})?.more);
  return more ? { ...read, block: { ...more, ...read.block } as Block } : read;
}

function plainBlockOf(content: unknown, thought: boolean): { block: Block; left?: Fields } {
  const { _meta, annotations: _, ...value } = fields(content) ?? {};
  const of = fields(content) ?? {};
  const meta = aspOf(of);
  switch (value.type) {
    case "text": {
      const { type: __, text, ...rest } = value;
      if (typeof text !== "string") break;
      const error = fields(meta?.error);
      if (error) return { block: errorBlock(text, error) };
      const signature = string(meta?.signature);
      const block: Block = thought
        ? { type: "thinking", text, ...(signature !== undefined && { signature }) }
        : { type: "text", text };
      return { block, ...leftOf(of, rest) };
    }
    case "image": {
      const { type: __, data, mimeType, uri, ...rest } = value;
      if (typeof data !== "string") break;
      const [mime, at, alt] = [string(mimeType), string(uri), string(meta?.alt)];
      const block: Block = {
        type: "image",
        data,
        ...(mime !== undefined && { mimeType: mime }),
        ...(at !== undefined && { uri: at }),
        ...(alt !== undefined && { alt }),
      };
      return { block, ...leftOf(of, rest) };
    }
    case "resource_link": {
      const { type: __, uri, name, mimeType, ...rest } = value;
      if (typeof uri !== "string") break;
      const title = meta?.named === false ? undefined : string(name);
      const mediaType = string(mimeType);
      const block: Block = {
        type: "reference",
        uri,
        ...(title !== undefined && { title }),
        ...(mediaType !== undefined && { mediaType }),
      };
      return { block, ...leftOf(of, rest) };
    }
    case "resource": {
      const { type: __, resource, ...rest } = value;
      const { uri, mimeType, text, blob, ...more } = fields(resource) ?? {};
      if (typeof uri !== "string" || (typeof text !== "string" && typeof blob !== "string")) break;
      const [title, mediaType] = [string(meta?.title), string(mimeType)];
      const block: Block = {
        type: "reference",
        uri,
        ...(title !== undefined && { title }),
        ...(mediaType !== undefined && { mediaType }),
        ...(typeof text === "string" ? { text } : { data: blob as string }),
      };
      return { block, ...leftOf(of, { ...rest, ...more }) };
    }
  }
  return { block: { type: "unknown", nativeType: `acp.${string(value.type) ?? "content"}`, value: content } };
}

function errorBlock(message: string, { code, detail }: Fields): Block {
  return {
    type: "error",
    message,
    ...(typeof code === "string" && { code }),
    ...(detail !== undefined && { detail }),
  };
}

/** Keys without a place, those of others under `_meta` among them. Annotations say whom it is for: read apart. */
function leftOf(content: Fields, rest: Fields): { left?: Fields } {
  const { audience: _, ...annotations } = fields(content.annotations) ?? {};
  const { asp: __, ...meta } = fields(content._meta) ?? {};
  const left = {
    ...rest,
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  return Object.keys(left).length > 0 ? { left } : {};
}

/** `audience` of a content, where it says one. */
export function audienceOf(content: unknown): Audience | undefined {
  const audience = fields(fields(content)?.annotations)?.audience;
  if (!Array.isArray(audience)) return undefined;
  const known = audience.filter((one): one is Audience[number] => one === "user" || one === "assistant");
  return known.length > 0 ? known : undefined;
}

/** What a tool gave, a block each. One that ACP has no content for is shown as nothing and carried whole. */
export function toolContent(blocks: readonly Block[]): ToolCallContent[] {
  return blocks.map((block): ToolCallContent => {
    const diff =
      block.type === "unknown" && block.nativeType === "acp.diff" ? fields(block.value) : undefined;
    if (typeof diff?.path === "string" && typeof diff.newText === "string" && diff.type === "diff")
      return diff as ToolCallContent;
    const content = block.type === "thinking" ? undefined : contentOf(block);
    if (content) return { type: "content", content };
    return { type: "content", content: { type: "text", text: "" }, _meta: { asp: { block } } };
  });
}

/** The way back. @param check says whether a value is a block: it came from anywhere. */
export function blocksOfTool(
  content: readonly unknown[],
  check: (value: unknown) => value is Block,
): { blocks: Block[]; left: Fields[] } {
  const blocks: Block[] = [];
  const left: Fields[] = [];
  for (const each of content) {
    const item = fields(each) ?? {};
    const whole = aspOf(item)?.block;
    if (whole !== undefined && check(whole)) blocks.push(whole);
    else if (item.type === "content") {
      const { content: inner, type: _, _meta, ...rest } = item;
      const read = blockOf(inner);
      blocks.push(read.block);
      const more = { ...rest, ...(_meta != null && { _meta }), ...read.left };
      if (Object.keys(more).length > 0) left.push(more);
    } else blocks.push({ type: "unknown", nativeType: `acp.${string(item.type) ?? "content"}`, value: each });
  }
  return { blocks, left };
}
