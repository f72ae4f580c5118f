/** The titles that a session was given on its way, for a writer whose sessions have one only. */
import type { SessionRef } from "../converter/contract.js";
import type { LossLedger } from "../fidelity/ledger.js";
import type { EventOf } from "./event.js";

type Titled = EventOf<"session.started"> | EventOf<"session.bound">;

const SUPERSEDED = { axis: "title", level: "evidence-only", reason: "superseded" } as const;

export class Titles {
  readonly #ledger: LossLedger;
  /** As the source's list shows it, where someone gave it: known before any event is. */
  readonly #given: string | undefined;
  readonly #fromPrompt: boolean;
  #held: { event: Titled; title: string } | undefined;

  constructor(ref: SessionRef, ledger: LossLedger) {
    this.#ledger = ledger;
    this.#fromPrompt = ref.titleFrom === "prompt";
    this.#given = this.#fromPrompt ? undefined : ref.title;
  }

  /** The one that counts so far. */
  get title(): string | undefined {
    return this.#given ?? this.#held?.title;
  }

  /** A `session.bound` that has a title is accounted for; of a `session.started` the title alone is. */
  take(event: Titled): void {
    const { title } = event.payload;
    // The first words of a prompt are no title; they stand in the prompt.
    if (title === undefined || (event.type === "session.started" && this.#fromPrompt)) return;
    const before = this.#held;
    // What the program made up does not replace what a person chose.
    const stays = before !== undefined && byAgent(event) && !byAgent(before.event);
    if (before) this.#replaced(stays ? event : before.event);
    if (!stays) this.#held = { event, title };
  }

  /** No more will come. */
  end(): void {
    const held = this.#held;
    if (held && this.#given !== undefined && !isSame(this.#given, held.title)) this.#replaced(held.event);
    else if (held?.event.type === "session.bound") this.#ledger.mapped(held.event);
    if (this.title !== undefined) this.#ledger.keep("title");
  }

  #replaced(event: Titled): void {
    if (event.type === "session.bound") this.#ledger.leave(event, SUPERSEDED);
    else this.#ledger.note(SUPERSEDED, event.origin[0]?.record);
  }
}

function byAgent(event: Titled): boolean {
  return event.type === "session.bound" && event.payload.titleBy === "agent";
}

/** A list shows a title on one line, and a long one in part. */
function isSame(listed: string, title: string): boolean {
  const [short, whole] = [listed, title].map((each) => each.replace(/[\s\p{Cc}]+/gu, " ").trim()) as [
    string,
    string,
  ];
  return short === whole || (short.endsWith("…") && whole.startsWith(short.slice(0, -1)));
}
