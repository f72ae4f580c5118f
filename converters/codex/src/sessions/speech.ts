/**
 * Messages and results as what a rollout holds of them: response items for the model, items for the screen. The
 * model's stream gets what the source's model was sent; the screen's what a person is to see.
 */
import { type Block, isBlank, type MessagePayload, type ToolResultPayload } from "@asp-convert/core";
import { string } from "@asp-convert/core/values";
import { ABORTED } from "./answered.js";
import {
  callId,
  type Encoding,
  encodeCall,
  encodeOutput,
  encodeReasoning,
  imageUrl,
  inputParts,
  text,
} from "./encode.js";
import type { CodexCall, CodexText, CodexThinking } from "./items.js";
import { agentEvent, type ShownCall, thoughtEvent, toolEvent, userEvent } from "./screen.js";

/** Where items go, as JSON text. */
export interface Out {
  item(payload: string): void;
  show(event: string): void;
  /** Is there a screen at all? In the context that a compaction leaves there is none. */
  readonly screen: boolean;
  /** The person speaks. */
  heard(queued: boolean): void;
}

interface OpenCall extends ShownCall {
  custom: boolean;
}

export class Speech {
  readonly #out: Out;
  readonly #encoding: Encoding;
  readonly #program: string;
  readonly open = new Map<string, OpenCall>();
  /** Calls of Codex's own that were answered: it may answer one twice. */
  readonly #answered = new Map<string, boolean>();

  /** @param program the harness whose tools these are, as the screen names them. */
  constructor(out: Out, encoding: Encoding, program: string) {
    this.#out = out;
    this.#encoding = encoding;
    this.#program = program;
  }

  /** False: nothing of it was written. */
  message(payload: MessagePayload): boolean {
    const { role, audience, injected, blocks } = payload;
    const sent = audience === undefined || audience.includes("assistant");
    const shown =
      this.#out.screen && (audience === undefined || audience.includes("user")) && injected === undefined;
    if (sent && this.open.size > 0) this.settle();
    if (role === "assistant") return this.#assistant(payload, sent, shown);
    if (role === "user" || role === "system") return this.#user(payload, sent, shown);
    return sent && blocks.reduce((wrote, block) => this.#opaque(block) || wrote, false);
  }

  #user(payload: MessagePayload, sent: boolean, shown: boolean): boolean {
    const said = payload.blocks.filter((block) => block.type !== "tool-result");
    let wrote = false;
    for (const block of payload.blocks)
      if (block.type === "tool-result") wrote = this.#inMessage(block) || wrote;
    const person = payload.role === "user" && payload.kind !== "summary" && shown;
    const words = person ? this.#shownWords(payload, said) : undefined;
    if (words !== undefined) this.#out.heard(payload.kind === "queued");
    const parts = sent ? inputParts(said, this.#encoding, false) : [];
    if (parts.length > 0) {
      const role = payload.role === "system" ? "developer" : "user";
      this.#out.item(`{"type":"message","role":"${role}","content":[${parts.join(",")}]${markOf(payload)}}`);
    }
    if (words !== undefined) this.#out.show(words);
    else if (payload.display !== undefined && !(markOf(payload) !== "" && parts.length > 0)) this.#unseen();
    return wrote || parts.length > 0 || words !== undefined;
  }

  /** What the screen shows of a message of the person; undefined: nothing. */
  #shownWords({ display }: MessagePayload, blocks: readonly Block[]): string | undefined {
    const quiet = { ...this.#encoding, ledger: undefined };
    const texts = blocks.flatMap((block) =>
      block.type === "text" && !isBlank(block.text) ? [block.text] : [],
    );
    const images = blocks.flatMap((block) => (block.type === "image" ? (imageUrl(block, quiet) ?? []) : []));
    const words = display ?? texts.join("\n");
    if (isBlank(words) && images.length === 0) return undefined;
    return userEvent(
      text(words, quiet),
      images.map((url) => JSON.stringify(url)),
    );
  }

  #assistant({ blocks, display }: MessagePayload, sent: boolean, shown: boolean): boolean {
    const { native, ledger, record } = this.#encoding;
    let wrote = false;
    let unshown = display;
    let thoughts: CodexThinking[] = [];
    const think = (encrypted?: string) => {
      if (native && sent && (thoughts.length > 0 || encrypted !== undefined)) {
        this.#out.item(encodeReasoning(thoughts, encrypted));
        if (encrypted !== undefined) ledger?.keep("opaque-reasoning");
        wrote = true;
      }
      thoughts = [];
    };
    for (const block of blocks) {
      if (block.type === "thinking") {
        wrote = this.#thought(block, shown) || wrote;
        thoughts.push(block);
        continue;
      }
      if (block.type === "unknown" && block.nativeType === "codex.encrypted_reasoning") {
        if (native) think(string(block.value));
        else ledger?.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "encrypted" }, record);
        continue;
      }
      think();
      switch (block.type) {
        case "text": {
          const visible = display === undefined ? block.text : unshown;
          unshown = undefined;
          wrote = this.#say(block, sent, shown ? visible : undefined) || wrote;
          break;
        }
        case "tool-call":
          wrote = (sent ? this.#call(block) : shown && this.#shownCall(block)) || wrote;
          break;
        case "tool-result":
          wrote = this.#inMessage(block) || wrote;
          break;
        case "error":
          if (!shown) break;
          this.#out.show(agentEvent(text(block.message, this.#encoding)));
          ledger?.keep("errors");
          if (block.code !== undefined || block.detail !== undefined)
            ledger?.note({ axis: "errors", level: "evidence-only", reason: "no-counterpart" }, record);
          wrote = true;
          break;
        case "unknown":
          wrote = (sent && this.#opaque(block)) || wrote;
          break;
        case "image":
          ledger?.note({ axis: "images", level: "evidence-only", reason: "not-supported" }, record);
          break;
        default:
          ledger?.note({ axis: "documents", level: "dropped", reason: "not-supported" }, record);
      }
    }
    think();
    if (display !== undefined && (unshown !== undefined || !shown)) this.#unseen();
    return wrote;
  }

  /** What a person saw instead of the words that the model was sent. */
  #unseen(): void {
    const { ledger, record } = this.#encoding;
    ledger?.note({ axis: "side-records", level: "evidence-only", reason: "no-counterpart" }, record);
  }

  /** @param visible as the screen shows it; undefined: it does not. */
  #say(block: CodexText, sent: boolean, visible: string | undefined): boolean {
    const { native, ledger, record } = this.#encoding;
    if (isBlank(block.text) && !native) {
      ledger?.note({ axis: "messages", level: "dropped", reason: "empty" }, record);
      return false;
    }
    const words = text(block.text, this.#encoding);
    const phase = native && block.phase !== undefined ? `,"phase":${JSON.stringify(block.phase)}` : "";
    if (visible !== undefined && !isBlank(visible)) {
      const seen = visible === block.text ? words : JSON.stringify(visible.toWellFormed());
      this.#out.show(agentEvent(seen, phase));
    }
    if (sent) {
      this.#out.item(
        `{"type":"message","role":"assistant","content":[{"type":"output_text","text":${words}}]${phase}}`,
      );
    }
    return sent || visible !== undefined;
  }

  /** Readable reasoning is shown; a model is sent only its own vendor's, in the form the vendor gave it. */
  #thought({ text: thought, signature }: CodexThinking, shown: boolean): boolean {
    const { ledger, native, record } = this.#encoding;
    if (signature !== undefined && signature !== "") {
      ledger?.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, record);
    }
    if (isBlank(thought) || !shown) return false;
    this.#out.show(thoughtEvent(text(thought, this.#encoding)));
    ledger?.keep("thinking");
    if (!native) ledger?.note({ axis: "thinking", level: "partial", reason: "shown-not-sent" }, record);
    return true;
  }

  #call(block: Extract<Block, { type: "tool-call" }>): true {
    const { item, id, name, namespace } = encodeCall(block, this.#encoding);
    this.#out.item(item);
    this.#encoding.ledger?.keep("tool-calls");
    this.open.set(id, {
      id,
      name,
      ...(namespace !== undefined && { namespace }),
      arguments: block.arguments,
      custom: block.freeform === true && (block as CodexCall).item !== "function_call",
    });
    return true;
  }

  /** A call that the source's model is not sent, since nothing ever came back for it. */
  #shownCall(block: Extract<Block, { type: "tool-call" }>): true {
    const { ledger, record } = this.#encoding;
    const { id, name, namespace } = encodeCall(block, { ...this.#encoding, ledger: undefined });
    const call = { id, name, ...(namespace !== undefined && { namespace }), arguments: block.arguments };
    this.#out.show(toolEvent(call, undefined, this.#program, false).event);
    ledger?.note({ axis: "tool-results", level: "not-in-source", reason: "missing-result" }, record);
    return true;
  }

  /** False: its call is not there, and Codex would drop it. */
  result(payload: ToolResultPayload): boolean {
    const { ledger, native, record } = this.#encoding;
    const id = callId(payload.toolCallId, { ...this.#encoding, ledger: undefined });
    const call = this.open.get(id);
    const custom = call?.custom ?? this.#answered.get(id);
    if (custom === undefined) return false;
    this.open.delete(id);
    if (native) this.#answered.set(id, custom);
    const { isError, synthetic, result } = payload;
    const output = encodeOutput(result, this.#encoding);
    let seen = false;
    if (call && this.#out.screen) {
      const words = result.length === 1 && result[0]?.type === "text" ? output : undefined;
      const { event, whole } = toolEvent(call, payload, this.#program, native, words);
      this.#out.show(event);
      seen = whole;
    }
    this.#output(id, custom, output, isError || synthetic ? { isError, synthetic } : undefined);
    if (payload.detail !== undefined && !seen) {
      ledger?.note({ axis: "tool-details", level: "evidence-only", reason: "no-counterpart" }, record);
    }
    return true;
  }

  /** @param output JSON. @param mark what our own reader is to know of it. */
  #output(id: string, custom: boolean, output: string, mark: unknown): void {
    const type = custom ? "custom_tool_call_output" : "function_call_output";
    const asp = mark === undefined ? "" : `,"asp":${JSON.stringify(mark)}`;
    this.#out.item(`{"type":"${type}","call_id":${JSON.stringify(id)},"output":${output}${asp}}`);
  }

  /** Calls that nothing came back for get what Codex would tell its model of them: no call stands unanswered. */
  settle(): void {
    for (const call of this.open.values()) {
      if (this.#out.screen) this.#out.show(toolEvent(call, undefined, this.#program, false).event);
      this.#output(call.id, call.custom, `"${ABORTED}"`, { isError: true, synthetic: true });
      const loss = { axis: "tool-results", level: "not-in-source", reason: "missing-result" } as const;
      this.#encoding.ledger?.note(loss);
    }
    this.open.clear();
  }

  /** A result that stands in a message instead of an event of its own. */
  #inMessage({ toolCallId, content, isError }: Extract<Block, { type: "tool-result" }>): boolean {
    const { ledger, record } = this.#encoding;
    if (this.result({ toolCallId, result: content, isError: isError ?? false })) return true;
    ledger?.note({ axis: "tool-results", level: "evidence-only", reason: "orphan-result" }, record);
    return false;
  }

  /** Codex's own items that nobody else can read go back as they were. */
  #opaque(block: Block): boolean {
    const { ledger, native, record } = this.#encoding;
    if (native && block.type === "unknown" && block.nativeType.startsWith("codex.")) {
      this.#out.item(JSON.stringify(block.value));
      return true;
    }
    const axis = block.type === "unknown" ? "opaque-reasoning" : "messages";
    ledger?.note({ axis, level: "evidence-only", reason: "foreign-signature" }, record);
    return false;
  }
}

/** What our own reader needs to tell such a text from the person's words. Codex ignores keys it does not know. */
function markOf({ injected, kind, display }: MessagePayload): string {
  if (injected === undefined && kind !== "summary") return "";
  const words = display === undefined ? "" : `,"display":${JSON.stringify(display.toWellFormed())}`;
  return injected === undefined
    ? `,"asp":{"kind":"summary"${words}}`
    : `,"asp":{"injected":"${injected}"${words}}`;
}
