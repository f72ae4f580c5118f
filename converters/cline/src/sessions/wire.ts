/** What Cline 3.0.65 makes of a stored message when it sends it to its model, and of a prompt when it shows it. */
import type { Block } from "@asp-convert/core";
import { type Fields, fields, string } from "@asp-convert/core/values";

export type Mode = "act" | "plan" | "yolo";

/** A person's words: without the marks that the program put around them, and without blanks at both ends. */
export function sentText(text: string): string {
  let sent = text.trim();
  for (const tag of ["user_input", "user_command"]) {
    const whole = sent.replace(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, "g"), "$1");
    sent = (whole === sent ? sent.replace(new RegExp(`<${tag}[^>]*>`, "g"), "") : whole).trim();
  }
  return sent;
}

/** What the program shows of them: no notices of a change of mode, and a command by its name. */
export function shownText(text: string): string {
  const words = sentText(text)
    .replace(/<mode_notice>[\s\S]*?<\/mode_notice>/g, "")
    .trim();
  const [, slash] =
    /^<user_command\b[^>]*\bslash="([^"]+)"[^>]*>[\s\S]*<\/user_command>$/i.exec(text.trim()) ?? [];
  return slash === undefined ? words : `/${slash} ${words}`.trim();
}

export function modeOf(text: string): Mode | undefined {
  return /<user_input\b[^>]*\bmode="(act|plan|yolo)"/.exec(text)?.[1] as Mode | undefined;
}

/** A prompt as the program writes it down; as it is, where the marks would not come off again. */
export function storedText(text: string, mode: Mode): string {
  const marked = `<user_input mode="${mode}">${text}</user_input>`;
  return sentText(marked) === text.trim() ? marked : text;
}

/** A file that was put beside a prompt, in the words that the model is sent. */
export function fileText(path: string, content: string): string {
  return `<file_content path="${path}">\n${content}\n</file_content>`;
}

/** The file that such words are of. */
export function fileOf(text: string): { path: string; content: string } | undefined {
  const [, path, content] = /^<file_content path="([^"]*)">\n([\s\S]*)\n<\/file_content>$/.exec(text) ?? [];
  return path === undefined || content === undefined ? undefined : { path, content };
}

/** Said in place of a result that is not there. */
export function interruptedText(tool: string): string {
  const words = "Tool execution was interrupted before a result was produced.";
  return tool === "" ? words : `${words} Tool: ${tool}.`;
}

const ATTACHED = "[image attached]";
const OMITTED = "[media omitted: invalid or exceeds size limit]";

/** A result: a text as it is; texts and pictures as such; any other value as JSON, its pictures behind it. */
export function resultBlocks(content: unknown, isError: boolean): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (Array.isArray(content)) {
    if (content.length === 0) return [];
    const parts = content.map(partOf);
    if (!isError && parts.every((part) => part !== undefined)) return parts;
  }
  const pictures: Block[] = [];
  const value =
    typeof content === "object" ? plain(content, isError ? undefined : pictures) : String(content);
  return [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }, ...pictures];
}

/** A part that goes to the model as what it is. */
function partOf(part: unknown): Block | undefined {
  const { type, text, data, mediaType } = fields(part) ?? {};
  if (type === "text" && typeof text === "string") return { type: "text", text };
  return type === "image" && typeof data === "string" && typeof mediaType === "string"
    ? { type: "image", mimeType: mediaType, data }
    : undefined;
}

/** @param pictures where pictures go; undefined: nowhere. */
function plain(value: unknown, pictures: Block[] | undefined): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((part: unknown) => {
      const known = partOf(part);
      if (known?.type === "text") return [known.text];
      if (known && pictures) {
        pictures.push(known);
        return [];
      }
      return [fields(part)?.type === "image" ? OMITTED : plain(part, pictures)];
    });
  }
  const inner = fields(value);
  if (!inner) return value;
  if (inner.type === "image") {
    const known = partOf(inner);
    if (!known || !pictures) return OMITTED;
    pictures.push(known);
    return ATTACHED;
  }
  return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, plain(one, pictures)]));
}

/** Words that stand for the messages of a message list, as a compaction leaves them. */
export function isSummary(message: Fields): boolean {
  return fields(message.metadata)?.kind === "compaction_summary";
}

/** Such a message is shown, and sent to nobody. */
export function isDisplayOnly(message: Fields): boolean {
  return fields(message.metadata)?.displayOnly === true;
}

export function displayRole(message: Fields): string | undefined {
  return string(fields(message.metadata)?.displayRole);
}
