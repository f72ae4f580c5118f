/** Events in, lines of a Copilot CLI session out; every event is accounted for. */
import { createHash } from "node:crypto";
import {
  type Axis,
  type EventOf,
  type LossLedger,
  noteBeneath,
  type Reason,
  reasons,
  type SessionAxis,
  type SessionEvent,
  type SessionRef,
  sessionAxes,
  Titles,
  type Usage,
} from "@asp-convert/core";
import { fields, isoTime } from "@asp-convert/core/values";
import { FORMAT, VERSION } from "../version.js";
import { Called } from "./called.js";
import type { Lines } from "./lines.js";
import { type Own, provenance } from "./own.js";
import { answersOf, clean, type Data, errorOf, promptsOf, resultOf, type Said } from "./said.js";

export interface ScribeOptions {
  id: string;
  cwd: string | undefined;
  /** ISO 8601. */
  created: string;
  ref: SessionRef;
  ledger: LossLedger;
  lines: Lines;
  /** A subagent's id: its lines stand in the file of the session that started it. */
  agent?: { id: string; parent: string | undefined; above: SessionRef };
  /** The lines go on after those of a session that is there already. */
  goesOn?: boolean;
}

type Message = EventOf<"message.completed">;

const HARNESS = "copilot";

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #ledger: LossLedger;
  readonly #lines: Lines;
  readonly #native: boolean;
  readonly #titles: Titles;
  readonly #assets = new Set<string>();
  readonly #called = new Called();
  #record: number | undefined;
  #renamed = 0;
  /** What is said now was said before: a compaction kept it. */
  #isKept = false;

  constructor(options: ScribeOptions) {
    this.#options = options;
    this.#ledger = options.ledger;
    this.#lines = options.lines;
    this.#native = options.ref.harness === HARNESS;
    this.#titles = new Titles(options.ref, options.ledger);
    if (options.agent) this.#beginAgent(options.agent);
    else if (!options.goesOn) this.#begin();
  }

  take(event: SessionEvent): void {
    this.#record = event.origin[0]?.record;
    if (event.nativeId !== undefined) this.#renamed++;
    if (event.branch !== undefined) {
      this.#leave(event, "branches", "abandoned-branch");
      return;
    }
    this.#date(event);
    this.#take(event);
  }

  end(): void {
    const { ref, agent } = this.#options;
    this.#titles.end();
    if (agent) this.#put("subagent.completed", { ...this.#agent() });
    if (this.#renamed > 0)
      this.#ledger.note({ axis: "ids", level: "evidence-only", reason: "generated", count: this.#renamed });
    if (ref.parent?.relation === "subagent") this.#ledger.keep("subagents");
    else if (ref.parent)
      this.#ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
  }

  #begin(): void {
    const { id, cwd, created, ref } = this.#options;
    const { git } = ref;
    const context = cwd !== undefined && {
      context: {
        cwd,
        ...(git?.branch !== undefined && { branch: git.branch }),
        ...(git?.commit !== undefined && { headCommit: git.commit }),
        ...(git?.repository !== undefined && { repository: git.repository }),
      },
    };
    this.#put("session.start", {
      sessionId: id,
      version: FORMAT,
      producer: "copilot-agent",
      copilotVersion: VERSION,
      startTime: created,
      ...context,
      asp: provenance(ref),
    });
  }

  #beginAgent({ parent }: { parent: string | undefined }): void {
    this.#put("subagent.started", {
      ...this.#agent(),
      agentDescription: "",
      ...(parent !== undefined && { parentId: parent }),
      asp: provenance(this.#options.ref),
    });
  }

  #agent(): { toolCallId: string; agentName: string; agentDisplayName: string } {
    const toolCallId = this.#options.ref.parent?.toolCallId ?? "";
    return { toolCallId, agentName: "agent", agentDisplayName: "agent" };
  }

  #date({ type, time, origin }: SessionEvent): void {
    const valid = isoTime(time);
    if (valid !== undefined) this.#lines.at(new Date(valid).toISOString());
    if ((type !== "message.completed" && type !== "tool.completed") || origin.length === 0) return;
    if (valid !== undefined) this.#ledger.keep("times");
    else this.#ledger.note({ axis: "times", level: "partial", reason: "time-inferred" }, this.#record);
  }

  #take(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        this.#started(event);
        return;
      case "session.bound":
        if (event.payload.title === undefined) this.#leave(event, "cwd", "superseded");
        else {
          this.#titles.take(event);
          if (event.payload.cwd !== undefined) this.#note("cwd", "superseded");
        }
        return;
      case "capabilities.changed":
        this.#changed(event);
        return;
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        if (this.#result(event)) this.#ledger.mapped(event, "tool-results");
        else this.#leave(event, "tool-results", "orphan-result");
        return;
      case "status.changed":
        this.#status(event);
        return;
      case "turn.completed":
        if (event.payload.error !== undefined) this.#note("errors", "no-counterpart");
        this.#leave(event, "turns", "no-counterpart");
        return;
      case "unknown.observed": {
        const { axis, reason } = event.payload;
        this.#leave(
          event,
          axis in sessionAxes ? (axis as SessionAxis) : "side-records",
          reason !== undefined && reason in reasons ? (reason as Reason) : "no-counterpart",
        );
        return;
      }
      default:
        this.#leave(event, AXES[event.type.split(".")[0] ?? ""] ?? "side-records", "no-counterpart");
    }
  }

  #started(event: EventOf<"session.started">): void {
    const { model, git, harnessVersion } = event.payload;
    this.#ledger.mapped(event, "cwd");
    this.#titles.take(event);
    // The answers name it; the program asks its settings which one goes on.
    if (model !== undefined && !this.#native) this.#note("models", "no-counterpart");
    const { agent, ref } = this.#options;
    if (agent) noteBeneath(ref, agent.above, this.#ledger);
    else if (git) this.#ledger.keep("git");
    if (harnessVersion !== undefined) this.#note("side-records", "generated");
  }

  /** Another program's models are none of those that this one would ask. */
  #changed(event: EventOf<"capabilities.changed">): void {
    const { model, thought_level: level, mode } = event.payload.settings;
    const isMode = typeof mode === "string" && MODES.includes(mode);
    if (!this.#native || (typeof model !== "string" && !isMode)) {
      this.#leave(event, "settings", "no-equal");
      return;
    }
    if (typeof model === "string")
      this.#put("session.model_change", {
        newModel: model,
        ...(typeof level === "string" && { reasoningEffort: level }),
      });
    if (isMode) this.#put("session.mode_changed", { previousMode: "interactive", newMode: mode });
    this.#ledger.mapped(event, "settings");
  }

  #message(event: Message): void {
    const { injected, audience } = event.payload;
    if (injected === "harness") {
      this.#ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
      return;
    }
    const axis = injected === undefined ? "messages" : "injected-context";
    const isSent = audience?.includes("assistant") ?? true;
    if (isSent ? this.#say(event) : this.#show(event)) this.#ledger.mapped(event, axis);
    else this.#leave(event, isSent ? axis : "errors", "empty");
  }

  /** @returns false if there is nothing of it that could be written. */
  #say({ payload }: Message): boolean {
    return payload.role === "assistant" ? this.#answer(payload) : this.#said(payload);
  }

  /** What the person was shown and the model was not sent. */
  #show({ payload: { role, blocks, model } }: Message): boolean {
    if (model !== undefined) this.#note("models", "no-counterpart");
    const error = errorOf(blocks, this.#saying);
    if (error) {
      this.#put("session.error", error);
      return true;
    }
    const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    if (text.trim() === "") return false;
    const shown = role === "assistant" ? "assistant" : "user";
    this.#put("session.info", {
      infoType: "notification",
      message: clean(text, this.#saying),
      asp: { shown },
    });
    return true;
  }

  #said(payload: Message["payload"]): boolean {
    const { role, blocks, injected, kind, audience, display } = payload;
    const axis = injected === undefined ? "messages" : "injected-context";
    const prompts = promptsOf(blocks, axis, (data, mimeType) => this.#asset(data, mimeType), this.#saying);
    const isHidden = audience !== undefined && !audience.includes("user");
    // Nobody's words: the program shows them to nobody, and quotes them in no summary.
    const isApart = injected !== undefined || role === "system" || isHidden || kind === "summary";
    const own: Own = {
      ...(injected && injected !== "harness" && { injected }),
      ...(kind && { kind }),
      ...(role === "system" && { role }),
      ...(isHidden && { hidden: true }),
    };
    for (const [i, { content, attachments, isFiller }] of prompts.entries()) {
      const typed = i === 0 && display !== undefined ? clean(display, this.#saying) : undefined;
      this.#put("user.message", {
        content: typed ?? content,
        ...(typed !== undefined && typed !== content && { transformedContent: content }),
        ...(attachments.length > 0 && { attachments }),
        ...(isApart && { source: `skill-${injected ?? "context"}` }),
        ...(kind === "queued" && { delivery: "queued" }),
        ...this.#asp({ ...own, ...(i > 0 && { continues: true }), ...(isFiller && { filler: true }) }),
      });
    }
    return prompts.length > 0;
  }

  #answer(payload: Message["payload"]): boolean {
    const { blocks, model, usage, stopReason } = payload;
    const answers = answersOf(blocks, { ...this.#saying, callId: (id) => this.#call(id) });
    if (answers.length === 0) return false;
    if (model !== undefined) this.#ledger.keep("models");
    const apiCallId = usage && !this.#isKept ? this.#lines.id() : undefined;
    if (apiCallId !== undefined) this.#spent(usage, model, stopReason, apiCallId);
    else if (stopReason !== undefined) this.#note("turns", "no-counterpart");
    for (const [i, answer] of answers.entries()) {
      const { asp } = this.#asp(i > 0 ? { continues: true } : {});
      this.#put("assistant.message", {
        messageId: this.#lines.id(),
        ...(model !== undefined && { model: clean(model, this.#saying) }),
        ...answer,
        ...(apiCallId !== undefined && i === 0 && { apiCallId }),
        ...(asp !== undefined && { asp }),
      });
      for (const call of (answer.toolRequests as Data[] | undefined) ?? [])
        this.#put("tool.execution_start", {
          toolCallId: call.toolCallId,
          toolName: call.name,
          arguments: call.arguments,
          ...this.#asp({}),
        });
    }
    return true;
  }

  #spent(
    usage: Usage | undefined,
    model: string | undefined,
    finishReason: string | undefined,
    apiCallId: string,
  ) {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, ...more } =
      usage ?? {};
    const counts = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens };
    this.#put("session.usage_record", {
      usage: {
        model: model ?? "unknown",
        ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined)),
        apiCallId,
        ...(finishReason !== undefined && { finishReason }),
      },
    });
    this.#ledger.keep("usage");
    if (Object.keys(more).length > 0) this.#note("usage", "no-counterpart");
  }

  #call(toolCallId: string): string {
    const id = this.#called.begin(toolCallId);
    if (id === toolCallId) this.#ledger.keep("ids");
    else this.#ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, this.#record);
    return id;
  }

  /** @returns false: no such call waits for an answer. */
  #result({ payload }: EventOf<"tool.completed">): boolean {
    const { toolCallId, result, isError, detail } = payload;
    const id = this.#called.answer(toolCallId);
    if (id === undefined) return false;
    const { content, binary } = resultOf(result, this.#saying);
    const { result: inResult, error: inError, ...beside } = (this.#native && fields(detail)) || {};
    if (this.#native && detail !== undefined) this.#ledger.keep("tool-details");
    else if (detail !== undefined) this.#note("tool-details", "no-counterpart");
    // Of a failed one the model is sent the reason alone.
    if (isError && binary.length > 0)
      this.#ledger.note({ axis: "images", level: "partial", reason: "shown-not-sent" }, this.#record);
    const whole = {
      ...(!isError && { content }),
      ...fields(inResult),
      ...(binary.length > 0 && { binaryResultsForLlm: binary }),
    };
    this.#put("tool.execution_complete", {
      toolCallId: id,
      success: !isError,
      ...beside,
      ...(Object.keys(whole).length > 0 && { result: { content, ...whole } }),
      ...(isError && { error: { ...fields(inError), message: content } }),
      ...this.#asp({}),
    });
    return true;
  }

  #status(event: EventOf<"status.changed">): void {
    const { status, context, reason, trigger } = event.payload;
    if (status === "rewound") this.#leave(event, "branches", "abandoned-branch");
    else if (status !== "compacted") this.#leave(event, "side-records", "no-counterpart");
    else if (!context) this.#leave(event, "compaction", "not-in-source");
    else {
      this.#put("session.context_cleared", {
        messagesCleared: 0,
        asp: { compaction: true, ...(trigger && { trigger }) },
      });
      this.#keep(context);
      if (reason !== undefined) this.#note("compaction", "no-counterpart");
      this.#ledger.mapped(event, "compaction");
    }
  }

  /** Says again what a compaction kept: nothing else is before it any more. */
  #keep(context: readonly SessionEvent[]): void {
    this.#isKept = true;
    this.#called.restart();
    for (const each of context) {
      if (each.type === "tool.completed") this.#result(each);
      else if (each.type === "message.completed" && each.payload.injected !== "harness") this.#say(each);
      else if (each.type === "message.completed")
        this.#ledger.note(
          { axis: "injected-context", level: "dropped", reason: "harness-preamble" },
          this.#record,
        );
    }
    this.#isKept = false;
  }

  #asp(own: Own): { asp?: Own } {
    const whole = this.#isKept ? { ...own, kept: true as const } : own;
    return Object.keys(whole).length > 0 ? { asp: whole } : {};
  }

  #asset(data: string, mimeType: string): { assetId: string; byteLength: number } {
    const bytes = Buffer.from(data, "base64");
    const assetId = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const byteLength = bytes.length;
    if (!this.#assets.has(assetId)) {
      this.#assets.add(assetId);
      const type = mimeType.startsWith("image/") ? "image" : "resource";
      this.#put("session.binary_asset", { assetId, type, mimeType, byteLength, data, ...this.#asp({}) });
    }
    return { assetId, byteLength };
  }

  #put(type: string, data: object): void {
    this.#lines.add(type, data, this.#options.agent?.id);
  }

  get #saying(): Said {
    return { ledger: this.#ledger, record: this.#record, isNative: this.#native };
  }

  #note(axis: Axis, reason: Reason): void {
    this.#ledger.note({ axis, level: "evidence-only", reason }, this.#record);
  }

  #leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    this.#ledger.leave(event, { axis, level: "evidence-only", reason });
  }
}

const MODES: readonly string[] = ["interactive", "plan", "autopilot"];

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  capabilities: "settings",
  run: "turns",
  turn: "turns",
  task: "plans",
};
