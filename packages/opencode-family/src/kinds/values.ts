/** References inside config values: `{env:NAME}` here, `${NAME}` in the portable form. */
import { partsOf } from "@asp-convert/core/kinds";

const REFERENCE = /\{env:([^}]+)\}/g;
const FILE = /\{file:[^}]*\}/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `file`: it holds the content of a file, which nobody else would read. `literal`: its `${` are meant as they are. */
export type ReadValue = { value: string; literal: boolean } | { file: true };

export function fromNative(text: string): ReadValue {
  if (FILE.test(text)) return { file: true };
  const literal = text.includes("${");
  const value = literal
    ? text
    : text.replace(REFERENCE, (whole, name: string) =>
        NAME.test(name.trim()) ? `\${${name.trim()}}` : whole,
      );
  return { value, literal };
}

/** `defaults`: variables whose default there is no word for. */
export function toNative(value: string, literal: boolean): { text: string; defaults: string[] } {
  if (literal) return { text: value, defaults: [] };
  const defaults: string[] = [];
  const text = partsOf(value)
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.default !== undefined) defaults.push(part.variable);
      return `{env:${part.variable}}`;
    })
    .join("");
  return { text, defaults };
}
