/** The program of a page: builds what comes near, and takes the keys. */
import type { Facts } from "../shapes.js";
import { make, parsed } from "./dom.js";
import { type Chunk, List } from "./list.js";
import { side } from "./side.js";

const HELP: readonly (readonly [string, string])[] = [
  ["j k", "next and previous entry"],
  ["Enter", "fold and unfold what is in it"],
  ["n p", "next and previous loss"],
  ["/", "find in the whole conversation"],
  ["g G", "beginning and end"],
  ["t", "light or dark"],
  ["?", "this help"],
];

const top = document.querySelector("header.top");
const tools = make("div", { class: "tools" });
top?.append(tools);
tools.append(tool("◐", "Light or dark", switchTheme));

function tool(sign: string, words: string, act: () => void): HTMLElement {
  const button = make("button", { type: "button", title: words, "aria-label": words }, sign);
  button.addEventListener("click", act);
  return button;
}

function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme
    ? dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
}

function session(): void {
  const talk = document.querySelector<HTMLElement>("#talk");
  const facts = parsed<Facts>(document.querySelector("#facts"));
  if (!talk || !facts) return;
  const list = new List(talk, facts);
  let current: HTMLElement | undefined;

  const select = (element: HTMLElement | undefined) => {
    if (!element) return;
    current?.classList.remove("current");
    current = element;
    element.classList.add("current");
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  };
  const go = (chunk: Chunk, kind?: number) => {
    list.build(chunk);
    const at =
      kind === undefined ? undefined : chunk.place.querySelector(`[data-kind="${kind}"]`)?.closest("article");
    select(at ?? chunk.place.querySelector("article") ?? undefined);
  };
  const articles = (chunk: Chunk, only: string) => {
    list.build(chunk);
    return [...chunk.place.querySelectorAll<HTMLElement>(only)];
  };
  /** @param step 1 or -1 */
  const move = (step: number, only = "article") => {
    const isHere = current?.isConnected === true;
    const here = isHere && current ? list.chunkOf(current) : undefined;
    let at = here ? list.chunks.indexOf(here) : Math.max(0, firstInView());
    if (here && current) {
      const all = articles(here, "article");
      const from = all.indexOf(current);
      const next = (step > 0 ? all.slice(from + 1) : all.slice(0, from).reverse()).find((one) =>
        one.matches(only),
      );
      if (next) return select(next);
      at += step;
    }
    for (; at >= 0 && at < list.chunks.length; at += step) {
      const chunk = list.chunks[at];
      if (!chunk || (only !== "article" && chunk.script.dataset.lost === undefined)) continue;
      const found = articles(chunk, only);
      if (found.length > 0) return select(step > 0 ? found[0] : found.at(-1));
    }
  };
  const firstInView = () => list.chunks.findIndex(({ place }) => place.getBoundingClientRect().bottom > 80);

  const field = make("input", {
    type: "search",
    placeholder: "Find",
    "aria-label": "Find in the conversation",
  });
  const found = make("output", { "aria-live": "polite" });
  let last: { words: string; chunk: number; item: number } | undefined;
  const find = () => {
    const words = field.value.toLowerCase();
    if (words === "") return;
    const needle = JSON.stringify(words).slice(1, -1).replaceAll("<", "\\u003c");
    const from = last?.words === words ? last : { chunk: 0, item: -1 };
    for (let at = from.chunk; at < list.chunks.length; at++) {
      const chunk = list.chunks[at];
      if (!chunk?.script.textContent?.toLowerCase().includes(needle)) continue;
      const after = at === from.chunk ? from.item : -1;
      const item = list
        .items(chunk)
        .findIndex(
          (each, i) =>
            i > after &&
            JSON.stringify(each.parts).toLowerCase().includes(JSON.stringify(words).slice(1, -1)),
        );
      if (item < 0) continue;
      last = { words, chunk: at, item };
      list.build(chunk);
      const article = chunk.place.querySelectorAll<HTMLElement>("article")[item];
      for (const details of article?.querySelectorAll("details") ?? [])
        if (details.textContent?.toLowerCase().includes(words)) details.open = true;
      select(article);
      found.textContent = "";
      return;
    }
    found.textContent = last?.words === words ? "no more" : "not found";
    last = undefined;
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") find();
    if (event.key === "Escape") field.blur();
  });

  const help = make(
    "dialog",
    { "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    make("dl", {}, ...HELP.flatMap(([key, what]) => [make("dt", {}, key), make("dd", {}, what)])),
    make("p", {}, "Esc closes this."),
  );
  document.body.append(help);
  tools.prepend(field, found);
  tools.append(tool("?", "Keys", () => help.showModal()));

  const keys: Readonly<Record<string, () => void>> = {
    j: () => move(1),
    k: () => move(-1),
    n: () => move(1, "article.lossy"),
    p: () => move(-1, "article.lossy"),
    "/": () => field.focus(),
    "?": () => help.showModal(),
    t: switchTheme,
    g: () => list.chunks[0] && go(list.chunks[0]),
    G: () => {
      const end = list.chunks.at(-1);
      if (end) select(articles(end, "article").at(-1));
    },
  };
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || target instanceof HTMLInputElement)
      return;
    if (key === "Enter" && target === current && current) {
      const all = [...current.querySelectorAll("details")];
      const open = all.some((details) => !details.open);
      for (const details of all) details.open = open;
      return;
    }
    const act = keys[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.querySelector("#side")?.append(...side(list, facts, go));
  addEventListener("beforeprint", () => list.buildAll());
}

function matrix(): void {
  const words = document.querySelector("#words");
  const tell = ({ target }: Event) => {
    const text =
      target instanceof Element ? target.closest("td .cell")?.getAttribute("aria-label") : undefined;
    if (words && text) words.textContent = text;
  };
  for (const type of ["pointerover", "focusin"]) document.addEventListener(type, tell);
}

if (document.documentElement.dataset.page === "matrix") matrix();
else session();
