/**
 * Messages under the role of the user (or developer): whose words they are, and what of them the screen showed.
 * One native message may hold parts of several speakers; it becomes one event for each stretch of one speaker.
 */
import type { Block, EventOf, ImageBlock, Origin } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";
import { ofUnknownKind, promptInside, type Speaker, speakersOf } from "./injected.js";
import { partsOf } from "./items.js";
import type { Shown } from "./shown.js";
import { nativeId, type Sink } from "./sink.js";

type Message = EventOf<"message.completed">;

interface Group {
  speaker: Exclude<Speaker, "wrapper">;
  blocks: Block[];
}

export class Heard {
  readonly #sink: Sink;
  readonly #lenient: boolean;
  readonly #screen: boolean;
  /** A message of the person whose screen record may still come. */
  #held: Message | undefined;
  /** A screen record whose message may still come. */
  #shown: Shown | undefined;

  /** @param screen the session has records of what was shown: what has none was not shown. */
  constructor(sink: Sink, lenient: boolean, screen: boolean) {
    this.#sink = sink;
    this.#screen = screen;
    this.#lenient = lenient;
  }

  /** False: nothing that Codex would send. */
  hear(payload: Fields, origin: Origin, time: string | undefined): boolean {
    const blocks = partsOf(payload, this.#lenient);
    if (!blocks) return false;
    const groups = grouped(blocks, ownMark(payload) ?? speakersOf(payload));
    const person = groups.some(({ speaker }) => speaker === "person");
    // What Codex repeats at each turn stands anywhere; anything else ends the wait for the other half.
    if (groups.some(({ speaker }) => speaker !== "harness") && (this.#held || !person)) this.settle();
    for (const [part, group] of groups.entries()) this.#send(payload, group, part, origin, time);
    return true;
  }

  #send(
    payload: Fields,
    { speaker, blocks }: Group,
    part: number,
    origin: Origin,
    time: string | undefined,
  ): void {
    const id = name(payload.id) ?? nativeId(origin);
    const person = speaker === "person";
    const message = this.#sink.emit(
      "message.completed",
      {
        messageId: part === 0 ? id : `${id}/${part}`,
        role: payload.role === "developer" ? "system" : "user",
        blocks,
        ...(speaker === "summary" ? { kind: "summary" } : person ? {} : { injected: speaker }),
      },
      [origin],
      time,
      { part },
    );
    const display = string(fields(payload.asp)?.display);
    if (!person && display !== undefined) message.payload.display = display;
    if (!person || payload.role !== "user") return;
    const text = textIn(blocks);
    const inside = promptInside(text);
    if (inside !== undefined) message.payload.display = inside;
    if (this.#shown) {
      join(message, this.#shown, text);
      this.#shown = undefined;
    } else if (!this.#held) {
      // A client may put words into the talk that nobody sees: those are of no known kind, and without a record.
      if (this.#screen && ofUnknownKind(payload)) message.payload.audience = ["assistant"];
      this.#held = message;
      this.#sink.held = message;
    }
  }

  /** A screen record of something that the person said. */
  show(shown: Shown): void {
    if (this.#held) {
      join(this.#held, shown, textIn(this.#held.payload.blocks));
      this.#release();
      return;
    }
    this.settle();
    this.#shown = shown;
  }

  /** Something else happened: what still waits for its other half has none. */
  settle(): void {
    this.#release();
    const shown = this.#shown;
    this.#shown = undefined;
    if (shown) sendShown(this.#sink, "user", shown, ["user"]);
  }

  #release(): void {
    if (!this.#held) return;
    this.#held = undefined;
    this.#sink.held = undefined;
  }
}

/** A message that only the screen had. @param audience whom it is for; undefined: it is all there is. */
export function sendShown(
  sink: Sink,
  role: "user" | "assistant",
  { text, id, origin, time }: Shown,
  audience: ["user"] | undefined,
  type: "text" | "thinking" = "text",
): void {
  sink.emit(
    "message.completed",
    { messageId: id ?? nativeId(origin), role, blocks: [{ type, text }], ...(audience && { audience }) },
    [origin],
    time,
  );
}

function join(message: Message, shown: Shown, text: string): void {
  delete message.payload.audience;
  message.origin = [...message.origin, shown.origin];
  if (shown.text !== text && shown.text.trim() !== "") message.payload.display = shown.text;
}

function textIn(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function grouped(blocks: readonly Block[], speakers: readonly Speaker[]): Group[] {
  const groups: Group[] = [];
  let label: string | undefined;
  for (const [index, block] of blocks.entries()) {
    const speaker = speakers[index] ?? "person";
    if (speaker === "wrapper" && block.type === "text" && blocks.some(({ type }) => type === "image")) {
      label = /\bpath="([^"]*)"/.exec(block.text)?.[1];
      continue;
    }
    if (block.type === "image" && label !== undefined) {
      (block as ImageBlock).alt = label;
      label = undefined;
    }
    const whose = speaker === "wrapper" ? "person" : speaker;
    const last = groups.at(-1);
    if (last?.speaker === whose) last.blocks.push(block);
    else groups.push({ speaker: whose, blocks: [block] });
  }
  // A message without parts is one all the same.
  if (groups.length === 0) groups.push({ speaker: "person", blocks: [] });
  return groups;
}

/** What our own writer noted of a message that nobody typed. */
function ownMark(payload: Fields): Speaker[] | undefined {
  const mark = fields(payload.asp);
  const speaker = mark?.kind === "summary" ? "summary" : mark?.injected;
  if (typeof speaker !== "string" || !MARKS.has(speaker)) return undefined;
  const parts = payload.content;
  return Array.isArray(parts) ? parts.map(() => speaker as Speaker) : undefined;
}

const MARKS: ReadonlySet<string> = new Set(["summary", "command", "skill", "tool", "notice", "harness"]);
