/** The conversation as a list of chunks: a chunk is parsed and built when it comes near, and taken down when it is far. */
import type { Facts, Item } from "../shapes.js";
import { make, parsed } from "./dom.js";
import { article } from "./render.js";

export interface Chunk {
  readonly script: HTMLScriptElement;
  readonly place: HTMLElement;
  readonly session: number;
  readonly branch: string | undefined;
  built: boolean;
}

/** About, in pixels, until it was seen once. */
const ITEM_HEIGHT = 150;
const NEAR = "1600px 0px";

export class List {
  readonly chunks: readonly Chunk[];
  readonly #facts: Facts;
  readonly #byPlace = new Map<Element, Chunk>();
  readonly #near: IntersectionObserver;

  constructor(root: HTMLElement, facts: Facts) {
    this.#facts = facts;
    this.#near = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const chunk = this.#byPlace.get(target);
          if (chunk) isIntersecting ? this.build(chunk) : this.#takeDown(chunk);
        }
      },
      { rootMargin: NEAR },
    );
    let before = "";
    this.chunks = [...document.querySelectorAll<HTMLScriptElement>("script.chunk")].map((script) => {
      const session = Number(script.dataset.session);
      const { branch } = script.dataset;
      const part = `${session} ${branch ?? ""}`;
      if (part !== before && (session > 0 || branch !== undefined))
        root.append(partHead(facts, session, branch));
      before = part;
      const place = make("section", { class: "chunk", "aria-label": "part of the conversation" });
      place.style.minHeight = `${Number(script.dataset.items) * ITEM_HEIGHT}px`;
      root.append(place);
      const chunk: Chunk = { script, place, session, branch, built: false };
      this.#byPlace.set(place, chunk);
      this.#near.observe(place);
      return chunk;
    });
  }

  items(chunk: Chunk): Item[] {
    return parsed<Item[]>(chunk.script) ?? [];
  }

  build(chunk: Chunk): void {
    if (chunk.built) return;
    chunk.built = true;
    chunk.place.replaceChildren(...this.items(chunk).map((item) => article(item, this.#facts.losses)));
    chunk.place.style.minHeight = "";
  }

  chunkOf(element: Element): Chunk | undefined {
    const place = element.closest("section.chunk");
    return place ? this.#byPlace.get(place) : undefined;
  }

  /** Every item, for paper. */
  buildAll(): void {
    this.#near.disconnect();
    for (const chunk of this.chunks) this.build(chunk);
  }

  #takeDown(chunk: Chunk): void {
    if (!chunk.built || chunk.place.contains(document.activeElement)) return;
    chunk.place.style.minHeight = `${chunk.place.offsetHeight}px`;
    chunk.place.replaceChildren();
    chunk.built = false;
  }
}

export function partName(facts: Facts, session: number, branch: string | undefined): string {
  const title = facts.sessions[session]?.title ?? "session";
  if (branch !== undefined) return `A branch that was left, in “${title}”`;
  return session === 0 ? title : `Subagent: ${title}`;
}

function partHead(facts: Facts, session: number, branch: string | undefined): HTMLElement {
  return make("h2", { class: "part", tabindex: "-1" }, partName(facts, session, branch));
}
