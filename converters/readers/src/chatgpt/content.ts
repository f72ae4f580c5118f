/** One message's content → blocks. */
import type { Block } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";

/** undefined: a content of a type that is not known. */
export function blocksOf(content: Fields): Block[] | undefined {
  const text = string(content.text);
  switch (content.content_type) {
    case "text":
    case "multimodal_text":
      return list(content.parts).flatMap(partOf);
    case "code":
    case "execution_output":
    case "system_error":
      return text === undefined ? undefined : textBlock(text);
    case "tether_quote":
    case "tether_browsing_display":
      return textBlock(
        [name(content.title), name(content.url), text ?? string(content.result)].filter(Boolean).join("\n"),
      );
    case "thoughts":
      return list(content.thoughts).flatMap((thought) => {
        const { summary, content: words } = fields(thought) ?? {};
        const text = [name(summary), name(words)].filter(Boolean).join("\n\n");
        return text === "" ? [] : [{ type: "thinking" as const, text }];
      });
    default:
      return undefined;
  }
}

/** Files that the person put beside their words; a picture among them stands in the content already. */
export function attached(attachments: readonly unknown[], blocks: readonly Block[]): Block[] {
  const shown = blocks.flatMap((block) => (block.type === "image" ? (block.uri ?? []) : []));
  return attachments.flatMap((attachment) => {
    const { id, name: title, mime_type: type } = fields(attachment) ?? {};
    if (typeof id !== "string" || shown.some((uri) => uri.endsWith(id))) return [];
    const uri = `file-service://${id}`;
    return [
      {
        type: "reference",
        uri,
        ...(typeof title === "string" && { title }),
        ...(typeof type === "string" && { mediaType: type }),
      },
    ];
  });
}

/** Put there by the program and sent to the model: what it knows of the person, its own summary. */
export const CONTEXT: ReadonlySet<unknown> = new Set(["user_editable_context", "model_editable_context"]);

/** What the program shows beside the talk. */
export const SHOWN: ReadonlySet<unknown> = new Set(["reasoning_recap"]);

function partOf(part: unknown): Block[] {
  if (typeof part === "string") return textBlock(part);
  const { content_type: type, asset_pointer: pointer, text, name: title } = fields(part) ?? {};
  if (typeof pointer === "string") {
    if (type === "image_asset_pointer") return [{ type: "image", uri: pointer }];
    return [{ type: "reference", uri: pointer, ...(typeof title === "string" && { title }) }];
  }
  // What was spoken, as it was heard.
  return typeof text === "string" ? textBlock(text) : [];
}

function textBlock(text: string): Block[] {
  return text === "" ? [] : [{ type: "text", text }];
}
