/** Lines of a Codex rollout of any length, in the paginated layout that 0.171 writes. */
import type { Random } from "../packages/conformance/src/fuzz/random.ts";
import type { Texts } from "./texts.ts";

const MODEL = "gpt-5.5";
const START = Date.UTC(2026, 10, 3, 9, 30, 0);

export interface Shape {
  threadId: string;
  cwd: string;
}

/** One line (with its newline) at a time, for ever. */
export function* codexLines(random: Random, texts: Texts, { threadId, cwd }: Shape): Generator<string> {
  let now = START;
  let ordinal = 0;
  let tokens = 0;
  const id = () => `01a22ddd-${random.hex(4)}-7${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
  const line = (type: string, payload: object, metadata?: object) => {
    now += random.between(2, 3000);
    const timestamp = new Date(now).toISOString();
    return `${JSON.stringify({ timestamp, ordinal: ordinal++, type, payload, ...(metadata ? { metadata } : {}) })}\n`;
  };
  const item = (turn: string, fields: object) =>
    line("event_msg", {
      type: "item_completed",
      thread_id: threadId,
      turn_id: turn,
      item: fields,
      started_at_ms: now,
      completed_at_ms: now,
    });
  const response = (turn: string, fields: object) =>
    line(
      "response_item",
      { ...fields, internal_chat_message_metadata_passthrough: { turn_id: turn } },
      {
        history_sequence: ordinal,
        sampled_through_sequence: ordinal - 1,
        client_authored: false,
        model_search_state: "unused",
      },
    );

  yield line("session_meta", {
    session_id: threadId,
    id: threadId,
    timestamp: new Date(START).toISOString(),
    cwd,
    originator: "codex-tui",
    cli_version: "0.171.0",
    source: "cli",
    thread_source: "user",
    model_provider: "openai",
    base_instructions: { text: texts.prose(random, 8000), provenance: { type: "model", model: MODEL } },
    history_mode: "paginated",
    git: { commit_hash: random.hex(40), branch: "main" },
  });

  for (;;) {
    const turn = id();
    const prompt = texts.prose(random, random.between(60, 600));
    yield line("event_msg", {
      type: "task_started",
      turn_id: turn,
      root_turn_id: turn,
      started_at: Math.floor(now / 1000),
      model_context_window: 258_400,
    });
    yield line("turn_context", {
      turn_id: turn,
      root_turn_id: turn,
      cwd,
      approval_policy: "never",
      model: MODEL,
      effort: "high",
      summary: "none",
    });
    const kinds = {
      content_item_kinds: ["user.text"],
      content_item_metadata: [{ provenance: { type: "user" } }],
    };
    yield line("response_item", {
      type: "message",
      id: `msg_${id()}`,
      role: "user",
      content: [{ type: "input_text", text: prompt }],
      internal_chat_message_metadata_passthrough: { turn_id: turn, ...kinds },
    });
    yield item(turn, {
      type: "UserMessage",
      id: id(),
      content: [{ type: "text", text: prompt, text_elements: [] }],
    });

    for (let step = random.between(3, 8); step > 0; step--) {
      if (random.chance(0.6)) {
        const summary = random.chance(0.4) ? `**${texts.prose(random, random.between(20, 60))}**` : undefined;
        const reasoning = `rs_${random.hex(32)}`;
        yield item(turn, {
          type: "Reasoning",
          id: reasoning,
          summary_text: summary ? [summary] : [],
          raw_content: [],
        });
        yield response(turn, {
          type: "reasoning",
          id: reasoning,
          summary: summary ? [{ type: "summary_text", text: summary }] : [],
          content: null,
          encrypted_content: `gAAAAA${texts.base64(random, random.between(600, 3000))}`,
        });
      }
      if (random.chance(0.4)) yield* said(turn, texts.prose(random, random.between(40, 300)), "commentary");
      const call = `call_${random.hex(24)}`;
      const output = texts.output(random, random.between(3000, 7000));
      if (random.chance(0.75)) {
        const cmd = texts.output(random, random.between(20, 200));
        yield response(turn, {
          type: "function_call",
          status: "completed",
          id: `fc_${random.hex(32)}`,
          name: "exec_command",
          arguments: JSON.stringify({ cmd }),
          call_id: call,
        });
        yield item(turn, {
          type: "CommandExecution",
          id: call,
          process_id: String(random.below(99_999)),
          command: ["/bin/bash", "-lc", cmd],
          cwd: `file://${cwd}`,
          parsed_cmd: [{ type: "unknown", cmd }],
          source: "unified_exec_startup",
          status: "completed",
          aggregated_output: output,
          exit_code: 0,
          duration: { secs: 0, nanos: random.below(999_999_999) },
        });
        yield response(turn, {
          type: "function_call_output",
          id: `fco_${id()}`,
          call_id: call,
          output: `Chunk ID: ${random.hex(6)}\nWall time: 0.0${random.below(999)} seconds\nProcess exited with code 0\nOutput:\n${output}`,
        });
      } else {
        const patch = `*** Begin Patch\n*** Add File: notes.txt\n${output.replace(/^/gm, "+")}\n*** End Patch`;
        yield response(turn, {
          type: "custom_tool_call",
          id: `ctc_${random.hex(32)}`,
          status: "completed",
          call_id: call,
          name: "apply_patch",
          input: patch,
        });
        yield item(turn, {
          type: "FileChange",
          id: call,
          changes: { [`${cwd}/notes.txt`]: { type: "add", content: output } },
          status: "completed",
          stdout: "",
          stderr: "",
        });
        yield response(turn, {
          type: "custom_tool_call_output",
          id: `ctco_${id()}`,
          call_id: call,
          output: "Success. Updated the following files:\nA notes.txt\n",
        });
      }
      tokens += random.between(500, 5000);
      const usage = {
        input_tokens: tokens,
        cached_input_tokens: 0,
        output_tokens: 100,
        reasoning_output_tokens: 0,
        total_tokens: tokens + 100,
      };
      yield line("token_usage_record", {
        thread_id: threadId,
        turn_id: turn,
        session_id: threadId,
        root_turn_id: turn,
        response_id: `resp_${random.hex(24)}`,
        usage,
      });
      yield line("event_msg", {
        type: "token_count",
        info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 },
      });
    }
    const answer = texts.prose(random, random.between(200, 1800));
    yield* said(turn, answer, "final_answer");
    yield line("event_msg", {
      type: "task_complete",
      turn_id: turn,
      last_agent_message: answer,
      completed_at: Math.floor(now / 1000),
      duration_ms: 1000,
    });
  }

  function* said(turn: string, text: string, phase: string): Generator<string> {
    const message = `msg_${random.hex(32)}`;
    yield item(turn, { type: "AgentMessage", id: message, content: [{ type: "Text", text }], phase });
    yield response(turn, {
      type: "message",
      status: "completed",
      id: message,
      role: "assistant",
      content: [{ type: "output_text", text, annotations: [] }],
      phase,
    });
  }
}
