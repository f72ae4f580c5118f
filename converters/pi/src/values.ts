/**
 * Values in Pi's `env` and `headers`: `$NAME`, `${NAME}`, `$$` and `$!` for the signs themselves, and a leading `!`
 * for what a command prints. Pi knows no defaults, and what is not set makes the server fail.
 */
import { partsOf, reference } from "@asp-convert/core/kinds";

export type FromPi = { value: string; literal: boolean } | { command: string };

/** In the portable dialect. `literal`: it looks like a reference there, and is none. */
export function fromPi(text: string): FromPi {
  if (text.startsWith("!")) return { command: text.slice(1).trim() };
  let value = "";
  let plain = "";
  let refers = false;
  for (const [whole, braced, bare, escaped] of text.matchAll(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)|\$([$!])|[\s\S]/g,
  )) {
    const variable = braced ?? bare;
    if (variable === undefined) {
      value += escaped ?? whole;
      plain += escaped ?? whole;
    } else {
      value += reference({ variable });
      refers = true;
    }
  }
  return { value, literal: !refers && partsOf(plain).some((part) => typeof part !== "string") };
}

/** @returns the value as Pi takes it, and the defaults that it cannot hold. */
export function toPi(value: string, literal: boolean): { text: string; defaults: string[] } {
  const defaults: string[] = [];
  const text = (literal ? [value] : partsOf(value))
    .map((part, i) => {
      if (typeof part !== "string") {
        if (part.default !== undefined) defaults.push(`${part.variable}=${part.default}`);
        return `\${${part.variable}}`;
      }
      // A sign that means something to Pi is doubled; one that means nothing stays as it is.
      const escaped = part.replace(/\$(?=[$!{A-Za-z_])/g, "$$$$");
      return i === 0 && escaped.startsWith("!") ? `$${escaped}` : escaped;
    })
    .join("");
  return { text, defaults };
}
