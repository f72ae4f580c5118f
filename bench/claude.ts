/** Lines of a Claude Code transcript of any length, by the record types and fields that 2.1.332 writes. */
import type { Random } from "../packages/conformance/src/fuzz/random.ts";
import type { Texts } from "./texts.ts";

const MODEL = "claude-opus-5-5";
const START = Date.UTC(2026, 10, 3, 9, 30, 0);

export interface Shape {
  sessionId: string;
  cwd: string;
}

/** One line (with its newline) at a time, for ever. */
export function* claudeLines(random: Random, texts: Texts, { sessionId, cwd }: Shape): Generator<string> {
  let now = START;
  let parent: string | null = null;
  let message = 0;
  const uuid = () =>
    `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
  const time = (ms: number) => {
    now += ms;
    return new Date(now).toISOString();
  };
  const line = (record: object) => `${JSON.stringify(record)}\n`;
  const chained = (fields: object, type: string) => {
    const id = uuid();
    const record = {
      parentUuid: parent,
      isSidechain: false,
      ...fields,
      type,
      uuid: id,
      timestamp: time(random.between(5, 4000)),
      userType: "external",
      entrypoint: "cli",
      cwd,
      sessionId,
      version: "2.1.332",
      gitBranch: "main",
    };
    parent = id;
    return line(record);
  };
  const usage = () => ({
    input_tokens: random.below(100),
    cache_creation_input_tokens: random.below(5000),
    cache_read_input_tokens: random.below(100_000),
    output_tokens: random.below(2000),
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: "standard",
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: random.below(5000) },
  });
  const assistant = (id: string, block: object, stop: string, index: number) =>
    chained(
      {
        message: {
          id,
          type: "message",
          role: "assistant",
          model: MODEL,
          content: [block],
          stop_reason: stop,
          stop_sequence: null,
          usage: usage(),
          stop_details: null,
        },
        apiBlockIndex: index,
        requestRef: uuid(),
        requestedModel: MODEL,
        effort: "medium",
        madeBy: "model",
      },
      "assistant",
    );

  for (let turn = 0; ; turn++) {
    const prompt = texts.prose(random, random.between(60, 600));
    const promptId = uuid();
    yield line({
      type: "queue-operation",
      operation: "enqueue",
      timestamp: time(10),
      sessionId,
      content: prompt,
    });
    yield line({ type: "queue-operation", operation: "dequeue", timestamp: time(5), sessionId });
    yield line({
      type: "file-history-snapshot",
      messageId: promptId,
      snapshot: { messageId: promptId, trackedFileBackups: {}, timestamp: time(1) },
      isSnapshotUpdate: false,
    });
    yield chained(
      {
        promptId,
        message: { role: "user", content: prompt },
        permissionMode: "default",
        promptSource: "typed",
        rowSource: "local",
        turnOrigin: "human",
        turnPosition: { promptIndex: turn, turnIndex: 1 },
      },
      "user",
    );
    if (turn === 0)
      yield chained(
        {
          attachment: {
            type: "environment",
            snapshot: { workingDirectory: cwd, isGitRepo: true, platform: "linux" },
          },
          rendered: [
            {
              content: `<system-reminder>\n# Environment\n - Primary working directory: ${cwd}\n</system-reminder>`,
            },
          ],
          renderedRole: "system",
        },
        "attachment",
      );

    for (let step = random.between(3, 8); step > 0; step--) {
      const id = `msg_01${random.hex(22)}`;
      message++;
      let index = 0;
      if (random.chance(0.6)) {
        const thinking = random.chance(0.8) ? texts.prose(random, random.between(200, 1500)) : "";
        const signature = texts.base64(random, random.between(300, 900));
        yield assistant(id, { type: "thinking", thinking, signature }, "tool_use", index++);
      }
      if (random.chance(0.5))
        yield assistant(
          id,
          { type: "text", text: texts.prose(random, random.between(40, 300)) },
          "tool_use",
          index++,
        );
      const calls = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => `toolu_01${random.hex(22)}`);
      const callers: string[] = [];
      for (const call of calls) {
        yield assistant(
          id,
          random.chance(0.7)
            ? {
                type: "tool_use",
                id: call,
                name: "Bash",
                input: { command: texts.output(random, random.between(20, 200)), description: "Look" },
              }
            : {
                type: "tool_use",
                id: call,
                name: "Edit",
                input: {
                  file_path: `${cwd}/src/file${random.below(100)}.ts`,
                  old_string: texts.output(random, random.between(80, 600)),
                  new_string: texts.output(random, random.between(80, 600)),
                },
              },
          "tool_use",
          index++,
        );
        callers.push(parent ?? "");
      }
      for (const [i, call] of calls.entries()) {
        const failed = random.chance(0.05);
        const output = texts.output(random, random.between(3000, 7000));
        yield chained(
          {
            promptId,
            message: {
              role: "user",
              content: [
                {
                  tool_use_id: call,
                  type: "tool_result",
                  content: output,
                  ...(failed ? { is_error: true } : {}),
                },
              ],
            },
            toolUseResult: failed
              ? `Error: ${output}`
              : { stdout: output, stderr: "", interrupted: false, isImage: false },
            sourceToolAssistantUUID: callers[i],
            permissionDecision: { decision: "accept", source: "config", reasonType: "mode" },
          },
          "user",
        );
      }
      if (random.chance(0.3)) yield line({ type: "tools-used", tools: ["Bash", "Edit"], sessionId });
    }
    const id = `msg_01${random.hex(22)}`;
    message++;
    yield assistant(
      id,
      { type: "text", text: texts.prose(random, random.between(200, 1800)) },
      "end_turn",
      0,
    );
    yield chained(
      { subtype: "turn_duration", durationMs: random.below(60_000), messageCount: message, isMeta: false },
      "system",
    );
    yield line({ type: "last-prompt", lastPrompt: prompt.slice(0, 200), leafUuid: parent, sessionId });
  }
}
