/** What an edit changed, as lines that went and lines that came. */
import { make } from "./dom.js";

/** undefined: the call is no edit. */
export function editOf(input: unknown): HTMLElement | undefined {
  if (typeof input === "string") return isPatch(input) ? patch(input) : undefined;
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  const text = first(fields, ["patch", "input", "patchText", "diff"]);
  if (text !== undefined && isPatch(text)) return patch(text);
  const path = first(fields, ["file_path", "filePath", "path", "absolute_path"]);
  const edits = Array.isArray(fields.edits) ? (fields.edits as unknown[]) : [fields];
  const lines = edits.flatMap((edit) => linesOf(edit));
  if (lines.length === 0) return undefined;
  return patch([...(path === undefined ? [] : [`*** ${path}`]), ...lines].join("\n"));
}

export function isPatch(text: string): boolean {
  return /^(\*\*\* Begin Patch|diff --git |--- .*\n\+\+\+ |@@ )/m.test(text);
}

export function patch(text: string): HTMLElement {
  const lines = text.split("\n").map((line) => {
    const kind = /^(\*\*\*|diff |---|\+\+\+)/.test(line)
      ? "file"
      : line.startsWith("@@")
        ? "at"
        : line.startsWith("+")
          ? "came"
          : line.startsWith("-")
            ? "went"
            : "same";
    return make("span", { class: kind }, `${line}\n`);
  });
  return make("pre", { class: "diff", tabindex: "0", "aria-label": "changes" }, ...lines);
}

function linesOf(edit: unknown): string[] {
  if (typeof edit !== "object" || edit === null) return [];
  const fields = edit as Readonly<Record<string, unknown>>;
  const before = first(fields, ["old_string", "oldString", "oldText", "old_text", "old_str"]);
  const after = first(fields, ["new_string", "newString", "newText", "new_text", "new_str"]);
  if (before === undefined || after === undefined) return [];
  const [old, now] = [before, after].map((text) => (text === "" ? [] : text.split("\n"))) as [
    string[],
    string[],
  ];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail++;
  return [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ];
}

function first(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}
