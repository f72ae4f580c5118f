/** The page's own program and style: built files beside the code. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface Assets {
  script: string;
  style: string;
}

export function loadAssets(): Assets {
  const read = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), "utf8");
  return { script: read("page.js"), style: read("page.css") };
}

/** Nothing but these two, and pictures within the page. */
export function policyOf({ script, style }: Assets): string {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
}
