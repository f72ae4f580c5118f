/** One item as an article. */
import type { Mark } from "../losses.js";
import type { Facts, Item, Outcome, Part } from "../shapes.js";
import { editOf, isPatch, patch } from "./diff.js";
import { make } from "./dom.js";
import { markdown } from "./markdown.js";

const LETTERS: Readonly<Record<string, string>> = {
  partial: "P",
  "evidence-only": "E",
  dropped: "D",
  "not-in-source": "–",
};
export const WORDS: Readonly<Record<string, string>> = {
  partial: "changed",
  "evidence-only": "kept as evidence only",
  dropped: "left out",
  "not-in-source": "not in the source",
};
const WHO: Readonly<Record<string, string>> = {
  user: "You",
  assistant: "Agent",
  system: "System",
  plan: "Plan",
  summary: "Summary",
};

export function badge(level: string): HTMLElement {
  return make("b", { class: `badge ${level}`, "aria-hidden": "true" }, LETTERS[level] ?? "?");
}

export function article(item: Item, losses: Facts["losses"]): HTMLElement {
  const { as, who, time, model, parts, marks, native } = item;
  if (as === "note" && parts.length === 0 && marks) return sideArticle(who, marks, native, losses);
  const heading = make("h3", {}, as === "rest" ? `Lost: ${who}` : (WHO[who] ?? who));
  const stamp = time === undefined ? undefined : make("time", { datetime: time }, time.slice(11, 16));
  const head = make(
    "header",
    {},
    heading,
    model === undefined ? undefined : make("span", { class: "model" }, model),
    stamp,
  );
  const body = make("div", { class: "body" }, ...parts.map((part) => shown(part, as)));
  const kind = `${as} ${/^(user|assistant)$/.test(who) ? who : "other"}${marks ? " lossy" : ""}`;
  const whole = make("article", { class: kind, tabindex: "-1" }, head);
  if (/ context$/.test(who))
    whole.append(make("details", {}, make("summary", {}, "added by the program"), body));
  else whole.append(body);
  if (marks) whole.append(lossBox(marks, native, losses));
  return whole;
}

/** A record that nobody would read, in a line; unfolded it tells what became of it. */
function sideArticle(
  who: string,
  marks: readonly Mark[],
  native: string | undefined,
  losses: Facts["losses"],
): HTMLElement {
  const kinds = marks.flatMap(({ kind }) => losses[kind] ?? []);
  const levels = [...new Set(kinds.map(({ level }) => level))];
  const words = kinds
    .map(({ axis, level }) => `${axis.replaceAll("-", " ")} ${WORDS[level] ?? level}`)
    .join(", ");
  const summary = make(
    "summary",
    {},
    ...levels.map(badge),
    make("h3", {}, make("code", {}, who)),
    make("span", {}, words),
  );
  const details = make("details", {}, summary, lossBox(marks, native, losses));
  return make("article", { class: "note side lossy", tabindex: "-1" }, details);
}

function lossBox(marks: readonly Mark[], native: string | undefined, losses: Facts["losses"]): HTMLElement {
  const lines = marks.map(({ kind, count, item }) => {
    const { axis = "", level = "", why = "" } = losses[kind] ?? {};
    const many = count > 1 ? ` ×${count}` : "";
    const words = `${axis.replaceAll("-", " ")}${many} ${WORDS[level] ?? level}`;
    const line = make(
      "li",
      { "data-kind": String(kind), "data-count": String(count) },
      badge(level),
      make("span", {}, make("strong", {}, words), ` ${why}`),
    );
    if (item !== undefined) line.append(make("code", {}, item));
    return line;
  });
  const box = make("aside", { class: "loss", "aria-label": "Losses here" }, make("ul", {}, ...lines));
  if (native !== undefined)
    box.append(
      make("details", {}, make("summary", {}, "native record"), make("pre", { tabindex: "0" }, native)),
    );
  return box;
}

function shown(part: Part, as: Item["as"]): Node {
  switch (part.part) {
    case "text":
      return as === "compaction" ? make("p", {}, part.text) : markdown(part.text);
    case "thinking":
      return make(
        "details",
        { class: "thinking" },
        make("summary", {}, "thinking ", make("span", {}, firstLine(part.text))),
        markdown(part.text),
      );
    case "call":
      return call(part);
    case "image":
      return make("img", { src: part.src, alt: part.alt, loading: "lazy" });
    case "reference":
      return make(
        "p",
        { class: "away" },
        `${part.title} ${part.uri}`.trim(),
        part.text === undefined ? undefined : make("pre", {}, part.text),
      );
    case "error":
      return make("p", { class: "error" }, part.text);
    case "opaque":
      return isPatch(part.text) ? patch(part.text) : make("pre", { class: "opaque" }, part.text);
  }
}

function call({ name, input, result }: Extract<Part, { part: "call" }>): HTMLElement {
  const edit = editOf(input);
  const failed = result?.failed === true;
  const summary = make(
    "summary",
    {},
    make("code", { class: "tool" }, name),
    " ",
    make("span", {}, gist(input)),
    failed ? make("em", { class: "failed" }, "failed") : undefined,
  );
  const details = make("details", { class: "call" }, summary);
  if (edit) details.setAttribute("open", "");
  details.append(
    edit ??
      make(
        "pre",
        { tabindex: "0" },
        typeof input === "string" ? input : (JSON.stringify(input, undefined, 2) ?? ""),
      ),
  );
  details.append(
    result ? outcome(result, edit !== undefined) : make("p", { class: "away" }, "no result in the source"),
  );
  return details;
}

function outcome({ parts, failed, made }: Outcome, hasEdit: boolean): HTMLElement {
  const label = made ? "no result in the source; this one was made" : failed ? "result: failed" : "result";
  // The edit stands above already.
  const rest = hasEdit ? parts.filter((part) => part.part !== "opaque") : parts;
  const children = rest.map((part) =>
    part.part === "text" ? make("pre", { tabindex: "0" }, part.text) : shown(part, "note"),
  );
  return make("div", { class: "result" }, make("p", { class: "label" }, label), ...children);
}

/** What tells one call from the next, in a line. */
function gist(input: unknown): string {
  if (typeof input === "string") return firstLine(input);
  if (typeof input !== "object" || input === null) return "";
  const fields = input as Readonly<Record<string, unknown>>;
  const names = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
  ];
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return firstLine(value);
    if (Array.isArray(value)) return firstLine(value.map(String).join(" "));
  }
  return "";
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 110 ? `${line.slice(0, 110)}…` : line;
}
