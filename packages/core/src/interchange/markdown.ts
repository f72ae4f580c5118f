/** `md`: a session as a Markdown document, for people. It is written only: what a person wrote into one is theirs. */
import type { Converter } from "../converter/contract.js";
import { lazyCall } from "../converter/lazy.js";
import { type FidelityTable, sessionAxes } from "../fidelity/axes.js";
import { SourceError } from "../io/source.js";
import { defineFormat } from "./format.js";

const nothing = Object.fromEntries(
  Object.keys(sessionAxes).map((axis) => [axis, "dropped"]),
) as FidelityTable;

/** What is said is re-spelled, its headings below the document's own. */
const shown: FidelityTable = {
  ...nothing,
  messages: "partial",
  "injected-context": "partial",
  "tool-calls": "partial",
  "tool-results": "partial",
  thinking: "partial",
  images: "partial",
  documents: "partial",
  errors: "partial",
  title: "preserved",
  cwd: "preserved",
  git: "preserved",
  times: "preserved",
  models: "preserved",
  compaction: "partial",
  plans: "partial",
};

export const markdown: Converter = defineFormat({
  id: "md",
  name: "Markdown",
  extension: ".md",
  probe: () => 0,
  // biome-ignore lint/correctness/useYield: there is nothing to give
  async *list({ root }) {
    throw new SourceError(root, "unreadable", "a Markdown document is written, and not read back");
  },
  // biome-ignore lint/correctness/useYield: there is nothing to give
  async *read(ref) {
    throw new SourceError(ref.path, "unreadable", "a Markdown document is written, and not read back");
  },
  write: lazyCall(async () => (await import("./write-markdown.js")).writeMarkdown),
  fidelity: { read: nothing, write: shown },
  carrier: "none: all of it is shown",
});
