/**
 * An ACP agent without a model: what it does stands in the prompt, one word after the other.
 *
 *     say:TEXT      a chunk                    hold        waits until it is cancelled
 *     many:N        N chunks of 2 KB           hold-hard   waits, and does not listen
 *     wait:MS       takes its time             ask         asks for permission, and waits for it
 *     big:BYTES     one chunk so large         garbage     a line that is no message
 *     half          half a line, then ends     crash       ends at once, with code 7
 *     alone         speaks after its answer, as an agent that works by itself
 */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** `name`, `meta` (of its capabilities), `steering`, `stay` (when its input ends). */
const manner = JSON.parse(process.argv[2] ?? "{}");

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const chunk = (sessionId, text) =>
  send({
    method: "session/update",
    params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });

const running = new Map();
const asked = new Map();
let sessions = 0;
let questions = 0;

async function prompt({ id, params: { sessionId, prompt, _meta } }) {
  const stop = new AbortController();
  const turn = { stop, steered: [] };
  running.set(sessionId, turn);
  const text = prompt.map((block) => block.text ?? "").join(" ");
  if (_meta !== undefined) chunk(sessionId, `meta ${JSON.stringify(_meta)}`);
  let stopReason = "end_turn";
  try {
    for (const word of text.split(" ")) await step(word, sessionId, turn);
  } catch {
    stopReason = "cancelled";
  }
  running.delete(sessionId);
  for (const more of turn.steered) chunk(sessionId, `steered ${more}`);
  send({ id, result: { stopReason } });
  if (text.includes("alone")) {
    await sleep(20);
    chunk(sessionId, "by itself");
  }
}

async function step(word, sessionId, { stop }) {
  const [what, value] = word.split(/:(.*)/s);
  const { signal } = stop;
  signal.throwIfAborted();
  switch (what) {
    case "say":
      return chunk(sessionId, value);
    case "many":
      for (let i = 0; i < Number(value); i++) chunk(sessionId, `${i} `.padEnd(2048, "x"));
      return;
    case "wait":
      return sleep(Number(value), undefined, { signal });
    case "big":
      return chunk(sessionId, "b".repeat(Number(value)));
    case "hold":
      return sleep(1e9, undefined, { signal });
    case "hold-hard":
      return sleep(1e9);
    case "garbage":
      return void process.stdout.write("this is no message {\n");
    case "half":
      process.stdout.write('{"jsonrpc":"2.0","method":"session/upd');
      return process.exit(3);
    case "crash":
      return process.exit(7);
    case "ask": {
      const id = questions++;
      send({
        id,
        method: "session/request_permission",
        params: {
          sessionId,
          toolCall: { toolCallId: "t" },
          options: [{ optionId: "y", name: "y", kind: "allow_once" }],
        },
      });
      const answer = await new Promise((resolve) => asked.set(id, resolve));
      chunk(sessionId, `decided ${JSON.stringify(answer)}`);
      return signal.throwIfAborted();
    }
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return send({ id: null, error: { code: -32700, message: "no JSON" } });
  }
  const { id, method, params, result } = message;
  switch (method) {
    case "initialize":
      return send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          agentInfo: { name: manner.name ?? "scripted", version: "1" },
          agentCapabilities: {
            loadSession: true,
            _meta: { own: 1, ...manner.meta },
          },
          ...(manner.steering && { _meta: { steering: { supported: true } } }),
        },
      });
    case "session/new":
      return send({ id, result: { sessionId: `s${++sessions}` } });
    case "session/prompt":
      if (!Array.isArray(params?.prompt)) return send({ id, error: { code: -32602, message: "no prompt" } });
      return void prompt(message);
    case "session/cancel":
      return running.get(params.sessionId)?.stop.abort();
    case "_session/steering": {
      const turn = running.get(params.sessionId);
      turn?.steered.push(params.prompt[0].text);
      return send({ id, result: turn ? { outcome: "injected" } : { outcome: "promptRequired" } });
    }
    case "session/close":
      return send({ id, result: {} });
    case undefined:
      asked.get(id)?.(result);
      return;
    default:
      // Everything else comes back as it came: to the byte.
      if (id !== undefined) process.stdout.write(`${line.replace('"method":', '"result":{},"echo":')}\n`);
  }
});
// Some agents stay when their input ends.
if (manner.stay) setInterval(() => {}, 1000);
