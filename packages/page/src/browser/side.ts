/** Beside the conversation: what is lost, the tree of sessions and branches, and what is not in the page. */
import type { Facts } from "../shapes.js";
import { make, parsed, plural } from "./dom.js";
import { type Chunk, type List, partName } from "./list.js";
import { badge, WORDS } from "./render.js";

interface End {
  items: number;
  cuts: { texts: number; characters: number; pictures: number };
}

export function side(list: List, facts: Facts, go: (chunk: Chunk, kind?: number) => void): HTMLElement[] {
  const sections: HTMLElement[] = [];
  if (facts.losses.length > 0) sections.push(lossList(list, facts, go));
  const parts = partsOf(list);
  if (parts.length > 1) sections.push(tree(parts, facts, go));
  if (list.chunks.length > 2) sections.push(timeLine(list, go));
  const { items, cuts } = parsed<End>(document.querySelector("#end")) ?? {
    items: 0,
    cuts: { texts: 0, characters: 0, pictures: 0 },
  };
  const said = [plural(items, "entry").replace("entrys", "entries")];
  if (cuts.texts > 0)
    said.push(`${plural(cuts.characters, "character")} of ${plural(cuts.texts, "long text")} left out`);
  if (cuts.pictures > 0) said.push(`${plural(cuts.pictures, "picture")} not shown`);
  sections.push(make("p", { class: "said" }, said.join(" · ")));
  return sections;
}

function lossList(list: List, facts: Facts, go: (chunk: Chunk, kind: number) => void): HTMLElement {
  const order = ["dropped", "evidence-only", "partial", "not-in-source"];
  const rows = facts.losses
    .map((loss, kind) => ({ ...loss, kind }))
    .sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  let before = -1;
  const lines = rows.map(({ axis, level, why, count, kind }) => {
    const words = make("span", {}, make("strong", {}, axis.replaceAll("-", " ")), make("i", {}, why));
    const button = make(
      "button",
      { type: "button", "aria-label": `${axis}: ${count} ${WORDS[level] ?? level}, ${why}` },
      badge(level),
      words,
      make("span", { class: "count" }, count.toLocaleString("en")),
    );
    // Each press goes to the next place.
    button.addEventListener("click", () => {
      const at = nextWith(list, kind, before);
      if (!at) return;
      before = list.chunks.indexOf(at);
      go(at, kind);
    });
    return make("li", { class: "loss-kind", "data-kind": String(kind), "data-count": String(count) }, button);
  });
  const sum = facts.losses.reduce((total, { count }) => total + count, 0);
  const head = make("h2", {}, "What is lost ", make("span", { class: "count" }, sum.toLocaleString("en")));
  const box = make("details", { class: "losses" }, make("summary", {}, head), make("ul", {}, ...lines));
  // On a narrow screen the talk is to be seen first.
  box.open = innerWidth > 1000;
  return box;
}

function nextWith(list: List, kind: number, after: number): Chunk | undefined {
  const lossy = list.chunks.filter(({ script }) => script.dataset.lost !== undefined);
  const later = lossy.filter((chunk) => list.chunks.indexOf(chunk) > after);
  return [...later, ...lossy].find((chunk) =>
    list.items(chunk).some(({ marks }) => marks?.some((mark) => mark.kind === kind)),
  );
}

function partsOf(list: List): Chunk[] {
  let before = "";
  return list.chunks.filter(({ session, branch }) => {
    const part = `${session} ${branch ?? ""}`;
    const isNew = part !== before;
    before = part;
    return isNew;
  });
}

function tree(parts: readonly Chunk[], facts: Facts, go: (chunk: Chunk) => void): HTMLElement {
  const lines = parts.map((chunk) => {
    const { session, branch } = chunk;
    const depth = (facts.sessions[session]?.depth ?? 0) + (branch === undefined ? 0 : 1);
    const button = make("button", { type: "button" }, partName(facts, session, branch));
    button.addEventListener("click", () => go(chunk));
    return make("li", { class: `depth-${Math.min(depth, 4)}` }, button);
  });
  return make(
    "nav",
    { class: "tree", "aria-label": "Sessions and branches" },
    make("h2", {}, "Sessions and branches"),
    make("ul", {}, ...lines),
  );
}

/** Bars of equal width, in the order of the talk: how much is in each, and where something was lost or compacted. */
function timeLine(list: List, go: (chunk: Chunk) => void): HTMLElement {
  const BARS = 48;
  const { chunks } = list;
  const per = Math.max(1, Math.ceil(chunks.length / BARS));
  const groups = Array.from({ length: Math.ceil(chunks.length / per) }, (_, i) =>
    chunks.slice(i * per, (i + 1) * per),
  );
  const sum = (group: readonly Chunk[], name: "items" | "lost" | "compactions") =>
    group.reduce((total, { script }) => total + Number(script.dataset[name] ?? 0), 0);
  const most = Math.max(1, ...groups.map((group) => sum(group, "items")));
  const bars = groups.map((group) => {
    const [first] = group;
    const [items, lost, compactions] = [sum(group, "items"), sum(group, "lost"), sum(group, "compactions")];
    const when = first?.script.dataset.time?.slice(0, 16).replace("T", " ") ?? "no time";
    const words = [
      when,
      `${items} entries`,
      ...(lost ? [`${lost} with losses`] : []),
      ...(compactions ? ["compacted"] : []),
    ].join(", ");
    const bar = make("span", { class: `${lost ? "with-loss" : ""}${compactions ? " compacted" : ""}` });
    bar.style.height = `${Math.max(12, (100 * items) / most)}%`;
    const button = make("button", { type: "button", title: words, "aria-label": words }, bar);
    button.addEventListener("click", () => first && go(first));
    return button;
  });
  const times = chunks.flatMap(({ script }) => script.dataset.time ?? []);
  const ends = [times[0], times.at(-1)].map((time) =>
    make("span", {}, time?.slice(0, 16).replace("T", " ") ?? ""),
  );
  return make(
    "section",
    { class: "timeline" },
    make("h2", {}, "Time line"),
    make("div", { class: "bars" }, ...bars),
    make("p", { class: "ends" }, ...ends),
  );
}
