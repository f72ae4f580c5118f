/** Markdown of a message as elements: from the syntax tree, so that HTML in it is text. */
import type { Root, RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { make } from "./dom.js";

const processor = unified().use(remarkParse).use(remarkGfm);
/** UTF-16 units; longer texts are shown as they are. */
const LONGEST = 40_000;

export function markdown(text: string): HTMLElement {
  if (text.length > LONGEST) return make("div", { class: "plain" }, text);
  const root: Root = processor.parse(text);
  return make("div", { class: "prose" }, ...root.children.map(node));
}

function each(nodes: readonly RootContent[]): Node[] {
  return nodes.map(node);
}

function node(it: RootContent): Node {
  switch (it.type) {
    case "text":
      return document.createTextNode(it.value);
    case "paragraph":
      return make("p", {}, ...each(it.children));
    case "heading":
      // The page's own headings are above those of a message.
      return make(
        "p",
        { class: "heading", role: "heading", "aria-level": String(Math.min(it.depth + 3, 6)) },
        ...each(it.children),
      );
    case "strong":
      return make("strong", {}, ...each(it.children));
    case "emphasis":
      return make("em", {}, ...each(it.children));
    case "delete":
      return make("del", {}, ...each(it.children));
    case "inlineCode":
      return make("code", {}, it.value);
    case "code":
      return make("pre", { tabindex: "0" }, make("code", {}, it.value));
    case "blockquote":
      return make("blockquote", {}, ...each(it.children));
    case "list":
      return make(
        it.ordered ? "ol" : "ul",
        it.ordered ? { start: String(it.start ?? 1) } : {},
        ...each(it.children),
      );
    case "listItem": {
      const box = it.checked === null || it.checked === undefined ? undefined : it.checked ? "☑ " : "☐ ";
      return make("li", {}, box, ...each(it.children));
    }
    case "thematicBreak":
      return make("hr");
    case "break":
      return make("br");
    case "table":
      return make("div", { class: "wide", tabindex: "0" }, make("table", {}, ...each(it.children)));
    case "tableRow":
      return make("tr", {}, ...each(it.children));
    case "tableCell":
      return make("td", {}, ...each(it.children));
    case "link":
      return link(it.url, each(it.children));
    case "image":
      // Nothing is fetched: the address is told.
      return make("span", { class: "away" }, `picture: ${it.alt ?? ""} ${it.url}`);
    case "html":
      return make("code", { class: "html" }, it.value);
    default:
      if ("children" in it) return make("span", {}, ...each(it.children as RootContent[]));
      return document.createTextNode("value" in it && typeof it.value === "string" ? it.value : "");
  }
}

/** Only to pages, and only when a person follows it; any other address is text. */
function link(url: string, children: Node[]): Node {
  if (!/^https?:\/\//i.test(url)) return make("span", { class: "away" }, ...children, ` (${url})`);
  return make("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, ...children);
}
