/** Messages as events, one after the other: what was said, called and answered, and what the model sees of it. */
import type { Block, LossLedger, Origin, Payloads, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";
import { type Beside, told } from "./events.js";
import { modelOf } from "./list.js";
import { ownOf } from "./own.js";
import { blocksOf, usageOf } from "./parts.js";
import { type Call, Pending } from "./pending.js";
import { blocksIn, isResult, textsIn, timeOf } from "./scan.js";
import {
  displayRole,
  interruptedText,
  isDisplayOnly,
  isSummary,
  type Mode,
  modeOf,
  resultBlocks,
  shownText,
} from "./wire.js";

type Message = Omit<Payloads["message.completed"], "messageId">;

/** A result that stands further on than where it belongs. */
export interface Late {
  block: Fields;
  message: Fields;
  origin: readonly Origin[];
  key: string;
}

export interface TalkContext {
  ledger: LossLedger;
  /** What answers a call anywhere in the session. */
  late: (call: string) => Late | undefined;
}

export class Talk {
  readonly #context: TalkContext;
  readonly #calls = new Pending();
  #mode: Mode = "act";

  constructor(context: TalkContext) {
    this.#context = context;
  }

  /** @param key its name in this session. */
  *message(message: Fields, key: string, origin: readonly Origin[]): Generator<SessionEvent> {
    const time = timeOf(message);
    const beside: Beside = { origin, ...(time !== undefined && { time }) };
    const all = blocksIn(message);
    const results = all.filter(isResult);
    const rest = all.filter((block) => !isResult(block));
    let isNew = false;
    for (const [i, result] of results.entries()) {
      const block = fields(result) ?? {};
      const native = name(block.tool_use_id);
      const call = this.#calls.take(native);
      if (!call && this.#calls.isKnown(native)) continue;
      isNew = true;
      yield this.#completed(call, block, beside, all.length === 1 ? key : `${key}/${i}`);
    }
    if (results.length > 0 && rest.length === 0) {
      if (!isNew) yield told("unknown.observed", DUPLICATE, { ...beside, nativeId: key });
      return;
    }
    yield* this.unanswered();
    if (isDisplayOnly(message)) yield this.#shown(message, rest, key, beside);
    else if (message.role === "assistant") yield this.#answer(message, rest, key, beside);
    else if (message.role === "user") yield* this.#said(message, rest, key, beside);
    else
      yield told(
        "unknown.observed",
        { nativeType: "cline.message", axis: "side-records", reason: "no-counterpart" },
        { ...beside, nativeId: key },
      );
  }

  *#said(message: Fields, blocks: readonly unknown[], key: string, beside: Beside): Generator<SessionEvent> {
    const own = ownOf(message);
    const texts = textsIn(message);
    const mode = texts.map(modeOf).find((each) => each !== undefined);
    if (mode !== undefined && mode !== this.#mode) {
      this.#mode = mode;
      yield told("capabilities.changed", { settings: { mode } }, { ...beside, nativeId: `${key}/mode` });
    }
    const said = this.#blocks(blocks, "user", key);
    const shown = own.display ?? texts.map(shownText).join("\n");
    yield this.#event(
      key,
      {
        role: own.role ?? "user",
        blocks: said,
        ...(own.injected && { injected: own.injected }),
        ...(own.kind ? { kind: own.kind } : isSummary(message) && { kind: "summary" }),
        ...(own.sent && { audience: ["assistant"] }),
        ...(shown !== textOf(said) && texts.length > 0 && { display: shown }),
      },
      beside,
    );
  }

  #answer(message: Fields, all: readonly unknown[], key: string, beside: Beside): SessionEvent {
    const own = ownOf(message);
    const info = fields(message.modelInfo);
    const model = modelOf(info?.provider, info?.id);
    const usage = usageOf(message.metrics);
    const { ledger } = this.#context;
    const blocks = this.#blocks(all, "assistant", key).map((block) =>
      block.type === "tool-call" ? this.#calls.begin(block, key, ledger, beside.origin[0]?.record) : block,
    );
    return this.#event(
      key,
      {
        role: "assistant",
        blocks,
        ...(own.injected && { injected: own.injected }),
        ...(model !== undefined && { model }),
        ...(usage && { usage }),
      },
      beside,
    );
  }

  /** What the program tells the person, and does not send. */
  #shown(message: Fields, all: readonly unknown[], key: string, beside: Beside): SessionEvent {
    const own = ownOf(message);
    const role = message.role === "user" ? "user" : "assistant";
    const said = this.#blocks(all, role, key);
    const isError = displayRole(message) === "error";
    const info = fields(message.modelInfo);
    const model = modelOf(info?.provider, info?.id);
    return this.#event(
      key,
      {
        role: own.role ?? role,
        blocks: isError
          ? said.map(
              (block): Block => (block.type === "text" ? { type: "error", message: block.text } : block),
            )
          : said,
        ...(own.injected && { injected: own.injected }),
        ...(model !== undefined && { model }),
        audience: ["user"],
      },
      beside,
    );
  }

  #blocks(all: readonly unknown[], role: string, key: string): Block[] {
    let unnamed = 0;
    return all.flatMap((block) => blocksOf(block, role, () => `${key}/${unnamed++}`));
  }

  #completed(call: Call | undefined, block: Fields, beside: Beside, nativeId: string): SessionEvent {
    const { content } = block;
    const isError = block.is_error === true;
    const result = resultBlocks(content, isError);
    return told(
      "tool.completed",
      {
        toolCallId: call?.id ?? string(block.tool_use_id) ?? "",
        toolResultId: nativeId,
        result,
        isError,
        // As the program shows it: the model was sent it as JSON.
        ...(typeof content === "object" && content !== null && !isPlain(content) && { detail: { content } }),
      },
      { ...beside, nativeId },
    );
  }

  /** Calls that nothing has answered by now: with what answers them later, or with the words that the program has for it. */
  *unanswered(): Generator<SessionEvent> {
    for (const call of this.#calls.left()) {
      const late = this.#context.late(call.native);
      if (late) {
        const time = timeOf(late.message);
        const beside = { origin: late.origin, ...(time !== undefined && { time }) };
        yield this.#completed(call, late.block, beside, `${late.key}/${call.id}`);
        continue;
      }
      this.#context.ledger.note({ axis: "tool-results", level: "not-in-source", reason: "missing-result" });
      yield told(
        "tool.completed",
        {
          toolCallId: call.id,
          result: [{ type: "text", text: interruptedText(call.name) }],
          isError: true,
          synthetic: true,
        },
        { origin: [], nativeId: `${call.caller}/${call.id}/none` },
      );
    }
  }

  #event(nativeId: string, message: Message, beside: Beside): SessionEvent {
    return told("message.completed", { messageId: nativeId, ...message }, { ...beside, nativeId });
  }
}

const DUPLICATE = { nativeType: "cline.result", axis: "side-records", reason: "duplicate" } as const;

/** Texts and pictures: the blocks say all that there is. */
function isPlain(content: object): boolean {
  return (
    Array.isArray(content) &&
    content.every((part: unknown) => {
      const { type } = fields(part) ?? {};
      return type === "text" || type === "image";
    })
  );
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
