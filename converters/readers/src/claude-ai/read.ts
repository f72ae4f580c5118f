/** One conversation. An answer holds its tools' results: it is told in the parts that the model was sent. */
import {
  type Block,
  documentParts,
  type Origin,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, list, name, parsed, string } from "@asp-convert/core/values";
import { Say } from "../say.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const { objects, cut } = documentParts(file, ["chat_messages"]);
    const say = new Say(ledger);
    yield say.start(ref, [say.record({ offset: 0, length: file.size })]);
    for (const place of objects) {
      signal?.throwIfAborted();
      const origin = [say.record(place)];
      const message = fields(parsed(say.text(file, place, origin)));
      if (message) yield* new Message(message, origin, say).events();
      else yield say.unread("raw", "raw", "unparsable", origin);
    }
    yield* say.rest(file, cut);
  } finally {
    file.close();
  }
}

class Message {
  readonly #message: Fields;
  readonly #origin: readonly Origin[];
  readonly #say: Say;
  readonly #id: string | undefined;
  #blocks: Block[] = [];
  #parts = 0;
  /** Calls of this message without their results, oldest first. */
  readonly #open: string[] = [];

  constructor(message: Fields, origin: readonly Origin[], say: Say) {
    this.#message = message;
    this.#origin = origin;
    this.#say = say;
    this.#id = name(message.uuid);
  }

  *events(): Generator<SessionEvent> {
    const content = list(this.#message.content);
    if (content.length === 0) this.#add(textBlock(string(this.#message.text)));
    for (const value of content) {
      const block = fields(value) ?? {};
      if (block.type === "tool_result") yield* this.#result(block);
      else yield* this.#block(block);
    }
    this.#add(attachmentsOf(this.#message));
    yield* this.#flush(true);
  }

  *#block(block: Fields): Generator<SessionEvent> {
    switch (block.type) {
      case "text":
        this.#add(textBlock(string(block.text)));
        return;
      case "thinking": {
        const text = string(block.thinking) ?? "";
        if (text !== "") this.#add([{ type: "thinking", text }]);
        return;
      }
      case "tool_use": {
        const id = name(block.id) ?? `${this.#id ?? "call"}-${this.#parts}-${this.#open.length + 1}`;
        this.#open.push(id);
        this.#add([
          {
            type: "tool-call",
            toolCallId: id,
            name: name(block.name) ?? "tool",
            arguments: block.input ?? {},
          },
        ]);
        return;
      }
      default:
        // A budget, a flag: what the page shows beside the talk.
        yield this.#say.unread(
          `claude-ai.${String(block.type)}`,
          "side-records",
          "no-counterpart",
          this.#origin,
        );
    }
  }

  *#result(block: Fields): Generator<SessionEvent> {
    yield* this.#flush(false);
    const named = name(block.tool_use_id);
    const at = named === undefined ? 0 : this.#open.indexOf(named);
    const call = this.#open.splice(Math.max(at, 0), 1)[0] ?? named;
    if (call === undefined) {
      yield this.#say.unread("claude-ai.tool_result", "tool-results", "orphan-result", this.#origin);
      return;
    }
    const blocks = list(block.content).flatMap(resultBlock);
    const text = string(block.content);
    yield this.#say.answered(
      {
        call,
        blocks: text === undefined ? blocks : textBlock(text),
        isError: block.is_error === true,
        time: this.#time(),
      },
      this.#origin,
    );
  }

  *#flush(isLast: boolean): Generator<SessionEvent> {
    const blocks = this.#blocks;
    if (blocks.length === 0 && !(isLast && this.#parts === 0)) return;
    this.#blocks = [];
    this.#parts++;
    if (blocks.length === 0) {
      yield this.#say.unread("claude-ai.message", "messages", "empty", this.#origin);
      return;
    }
    const { sender } = this.#message;
    const role = sender === "human" ? "user" : sender === "assistant" ? "assistant" : "unknown";
    const id = this.#parts === 1 || this.#id === undefined ? this.#id : `${this.#id} ${this.#parts}`;
    yield this.#say.said({ id, role, blocks, time: this.#time() }, this.#origin);
  }

  #add(blocks: readonly Block[]): void {
    this.#blocks.push(...blocks);
  }

  #time(): string | undefined {
    return isoTime(this.#message.created_at);
  }
}

/** What was put beside the words: its text as the model was sent it, of others the name. */
function attachmentsOf({ attachments, files }: Fields): Block[] {
  const texts = list(attachments).flatMap((attachment): Block[] => {
    const { file_name: title, file_type: type, extracted_content: text } = fields(attachment) ?? {};
    if (typeof title !== "string" && typeof text !== "string") return [];
    return [
      {
        type: "reference",
        uri: `attachment:${encodeURIComponent(String(title ?? ""))}`,
        ...(typeof title === "string" && { title }),
        ...(typeof type === "string" && type.includes("/") && { mediaType: type }),
        ...(typeof text === "string" && { text }),
      },
    ];
  });
  const named = list(files).flatMap((file): Block[] => {
    const title = name(fields(file)?.file_name);
    return title === undefined
      ? []
      : [{ type: "reference", uri: `attachment:${encodeURIComponent(title)}`, title }];
  });
  return [...texts, ...named];
}

function resultBlock(value: unknown): Block[] {
  const block = fields(value) ?? {};
  if (typeof block.text === "string") return textBlock(block.text);
  // A page that was found: its title and address.
  const found = [name(block.title), name(block.url)].filter((part) => part !== undefined).join("\n");
  return textBlock(found === "" ? JSON.stringify(value) : found);
}

function textBlock(text = ""): Block[] {
  return text === "" ? [] : [{ type: "text", text }];
}
