/** What the model is sent at a point of the journal, message by message: where each lies, and what a compaction leaves. */
import type { Block, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, name, number, string } from "@asp-convert/core/values";
import { eventOf } from "./event.js";
import { joined, type MessageEvent } from "./join.js";
import { type Kept, selectKept } from "./keep.js";
import { blocksIn } from "./parts.js";
import type { Place } from "./scan.js";

interface Unit {
  /** Pairs: offset and length of its records. */
  places: number[];
  /** Messages: an answer has one more for each result. */
  size: number;
  /** A compaction keeps it word for word. */
  isTyped: boolean;
  /** It is sent in one with others of its kind that stand beside it. */
  isJoined: boolean;
  /** It stands in no record as it is sent, or was looked up before. */
  event?: SessionEvent;
}

type Events = (places: readonly number[]) => SessionEvent[];

export class History {
  #units: Unit[] = [];
  #step: Unit | undefined;

  add({ offset, length }: Place, isTyped = false, isJoined = false): void {
    this.#units.push({ places: [offset, length], size: 1, isTyped, isJoined });
  }

  begin({ offset, length }: Place): void {
    this.#step = { places: [offset, length], size: 1, isTyped: false, isJoined: false };
    this.#units.push(this.#step);
  }

  /** Another record of the step. @param size messages that it is more. */
  more({ offset, length }: Place, size = 0): void {
    this.#step?.places.push(offset, length);
    if (this.#step) this.#step.size += size;
  }

  /** The step said nothing. */
  drop(): void {
    const at = this.#step ? this.#units.indexOf(this.#step) : -1;
    if (at !== -1) this.#units.splice(at, 1);
    this.#step = undefined;
  }

  clear(): SessionEvent[] {
    this.#units = [];
    this.#step = undefined;
    return [];
  }

  /** @returns what the model is sent from here on. */
  compact(record: Fields, place: Place, events: Events): SessionEvent[] {
    const isOld = record.legacyTail === true || number(record.keptUserMessageCount) === undefined;
    const summary = summaryOf(record, place);
    if (isOld) {
      const rest = this.#after(number(record.compactedCount) ?? number(record.count) ?? 0);
      this.#set([summary, ...rest]);
      return [summary, ...rest.flatMap((unit) => eventsIn(unit, events))];
    }
    // What is kept comes again with each compaction, and is looked up once.
    const typed = this.#units.filter(({ isTyped }) => isTyped);
    for (const unit of typed) {
      const [event] = unit.event ? [] : events(unit.places);
      if (event) unit.event = event;
    }
    const { head, tail } = selectKept(typed, blocksOf);
    const [first, last] = [head.map(asUnit), tail.map(asUnit)];
    this.#set([...first, ...last, summary]);
    return [...sent(first), ...sent(last), summary];
  }

  #set(units: readonly (Unit | SessionEvent)[]): void {
    this.#step = undefined;
    this.#units = units.map((unit) =>
      "places" in unit ? unit : { places: [], size: 1, isTyped: false, isJoined: false, event: unit },
    );
  }

  /** What is left when so many messages are taken off; of an answer and its results all or nothing. */
  #after(count: number): Unit[] {
    let left = count;
    return this.#units.filter(({ size }) => {
      const isLeft = left <= 0;
      left -= size;
      return isLeft;
    });
  }
}

function eventsIn({ places, event }: Unit, events: Events): SessionEvent[] {
  return event ? [event] : events(places);
}

function blocksOf({ event }: Unit): readonly Block[] {
  return event?.type === "message.completed" ? event.payload.blocks : [];
}

function asUnit({ of, text }: Kept<Unit>): Unit {
  const { event } = of;
  if (text === undefined || event?.type !== "message.completed") return of;
  return { ...of, event: { ...event, payload: { ...event.payload, blocks: [{ type: "text", text }] } } };
}

function sent(units: readonly Unit[]): SessionEvent[] {
  const events: SessionEvent[] = [];
  let run: MessageEvent[] = [];
  const end = () => {
    const [first, ...more] = run;
    if (first) events.push(joined([first, ...more]));
    run = [];
  };
  for (const { event, isJoined } of units) {
    if (isJoined && event?.type === "message.completed") run.push(event);
    else {
      end();
      if (event) events.push(event);
    }
  }
  end();
  return events;
}

function summaryOf(record: Fields, { offset }: Place): SessionEvent {
  const whole = fields(record.summary);
  const words = string(record.contextSummary) ?? string(record.summary);
  const id = name(whole?.id) ?? `@${offset}/summary`;
  return eventOf(
    "message.completed",
    {
      messageId: id,
      role: "user",
      blocks: whole ? blocksIn(whole.content) : [{ type: "text", text: words ?? "" }],
      kind: "summary",
      audience: ["assistant"],
    },
    { origin: [], nativeId: id },
  );
}
