/** Parts of a message, as a journal has them, as portable blocks. */
import type { Block } from "@asp-convert/core";
import { type Fields, fields, list, string } from "@asp-convert/core/values";

/** Reasoning that only who made it can read; it stands behind the thought that it belongs to. */
export const ENCRYPTED = "kimi.encrypted";

/** Content is a text or a list of parts. */
export function blocksIn(content: unknown): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return list(content).flatMap(blocksOf);
}

export function blocksOf(part: unknown): Block[] {
  const given = fields(part) ?? {};
  switch (given.type) {
    case "text":
      return [{ type: "text", text: string(given.text) ?? "" }];
    case "think":
      return thought(given);
    case "image_url":
      return [media(fields(given.imageUrl), "image")];
    case "audio_url":
      return [media(fields(given.audioUrl), "audio")];
    case "video_url":
      return [media(fields(given.videoUrl), "video")];
    default:
      return [{ type: "unknown", nativeType: "kimi.part", value: part }];
  }
}

function thought({ think, encrypted }: Fields): Block[] {
  const text = string(think) ?? "";
  const blocks: Block[] = text === "" && encrypted !== undefined ? [] : [{ type: "thinking", text }];
  if (encrypted !== undefined) blocks.push({ type: "unknown", nativeType: ENCRYPTED, value: encrypted });
  return blocks;
}

const DATA = /^data:([^;,]+);base64,/;

function media(container: Fields | undefined, kind: "image" | "audio" | "video"): Block {
  const url = string(container?.url) ?? "";
  const title = string(container?.name);
  const [head, mimeType] = DATA.exec(url) ?? [];
  const data = head === undefined ? undefined : url.slice(head.length);
  if (kind === "image")
    return {
      type: "image",
      ...(mimeType !== undefined && { mimeType }),
      ...(data === undefined ? { uri: url } : { data }),
      ...(title !== undefined && { alt: title }),
    };
  return {
    type: "reference",
    uri: data === undefined ? url : (title ?? kind),
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...(title !== undefined && { title }),
    ...(data !== undefined && { data }),
  };
}
