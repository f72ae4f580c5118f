/** What the assistant says between two turns of somebody else: several native items, one message. */
import type { Block, Origin, Usage } from "@asp-convert/core";
import { type Fields, name } from "@asp-convert/core/values";
import type { Shown, ShownQueue } from "./shown.js";
import { nativeId, type Sink } from "./sink.js";

export class Said {
  readonly id: string;
  readonly first: Origin;
  readonly blocks: Block[] = [];
  readonly origin: Origin[] = [];
  readonly time: string | undefined;
  usage: Usage | undefined;
  /** As the screen showed the texts; `differs`: not as the model was sent them. */
  readonly #display: string[] = [];
  #differs = false;

  constructor(payload: Fields, origin: Origin, time: string | undefined) {
    this.id = name(payload.id) ?? nativeId(origin);
    this.first = origin;
    this.time = time;
  }

  add(
    payload: Fields,
    blocks: readonly Block[],
    origin: Origin,
    texts: ShownQueue,
    thoughts: ShownQueue,
  ): void {
    this.origin.push(origin);
    const id = name(payload.id);
    for (const block of blocks) {
      this.blocks.push(block);
      if (block.type === "text") this.#meet(block.text, texts.say(block.text, id));
      else if (block.type === "thinking") this.#meet(undefined, thoughts.say(block.text, id));
    }
  }

  #meet(text: string | undefined, shown: Shown | undefined): void {
    if (shown) this.origin.push(shown.origin);
    if (text === undefined) return;
    this.#display.push(shown?.text ?? text);
    if (shown && shown.text !== text) this.#differs = true;
  }

  send(sink: Sink, model: string | undefined): void {
    sink.emit(
      "message.completed",
      {
        messageId: this.id,
        role: "assistant",
        blocks: this.blocks,
        ...(model !== undefined && { model }),
        ...(this.usage && { usage: this.usage }),
        ...(this.#differs && { display: this.#display.join("\n\n") }),
      },
      this.origin,
      this.time,
      { first: this.first },
    );
  }
}
