/** A file in its parts: the head, and what each speaker said. */
import { isoTime } from "@asp-convert/core/values";
import { RULE, SPEAKER } from "./layout.js";

export interface Part {
  /** undefined: the head. */
  by?: "user" | "assistant";
  model?: string;
  time?: string;
  text: string;
  /** Bytes. */
  offset: number;
  length: number;
}

export function* partsOf(bytes: Buffer): Generator<Part> {
  let open: Omit<Part, "text" | "length"> = { offset: 0 };
  let lines: string[] = [];
  let isFenced = false;
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(0x0a, at);
    const end = found === -1 ? bytes.length : found + 1;
    const line = bytes.toString("utf8", at, end).trimEnd();
    // In a block of code a line is what it is.
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const [speaker, who, about] = isFenced ? [] : (SPEAKER.exec(line) ?? []);
    if (speaker !== undefined) {
      if (at > open.offset) yield { ...open, text: textOf(lines), length: at - open.offset };
      open = { by: who === "User" ? "user" : "assistant", ...told(about), offset: at };
      lines = [];
    } else lines.push(line);
    at = end;
  }
  if (bytes.length > open.offset) yield { ...open, text: textOf(lines), length: bytes.length - open.offset };
}

function textOf(lines: readonly string[]): string {
  let end = lines.length;
  while (end > 0 && ["", RULE].includes(lines[end - 1]?.trim() ?? "")) end--;
  return lines.slice(0, end).join("\n").trim();
}

function told(about = ""): Pick<Part, "model" | "time"> {
  const model = /(?:^|, )(?:model )?([a-z][\w.:/-]*\d[\w.:/-]*)(?:,|$)/i.exec(about)?.[1];
  const time = isoTime(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?/.exec(about)?.[0]?.replace(" ", "T"));
  return { ...(model !== undefined && { model }), ...(time !== undefined && { time }) };
}

/** Reasoning stands in a text of its own. */
const THINKING =
  /<think>\s*(?:<details>\s*<summary>[^<]*<\/summary>)?([\s\S]*?)(?:<\/details>)?\s*<\/think>/g;

export function blocksOf(
  text: string,
): ({ type: "text"; text: string } | { type: "thinking"; text: string })[] {
  const blocks: ReturnType<typeof blocksOf> = [];
  let at = 0;
  const add = (type: "text" | "thinking", words: string) => {
    if (words.trim() !== "") blocks.push({ type, text: words.trim() });
  };
  for (const match of text.matchAll(THINKING)) {
    add("text", text.slice(at, match.index));
    add("thinking", match[1] ?? "");
    at = match.index + match[0].length;
  }
  add("text", text.slice(at));
  return blocks;
}
