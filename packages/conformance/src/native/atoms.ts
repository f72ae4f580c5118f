/**
 * What a request says to the model, apart from how its dialect writes it down: a flat list of texts, calls,
 * results and images in order. What programs put in by themselves (instructions, environment, reminders …)
 * says nothing of the conversation and is left out.
 */
import { asObject, asString, type JsonObject, objectsOf } from "./json.js";

export const atomKinds = ["user", "assistant", "call", "result", "image"] as const;
export type AtomKind = (typeof atomKinds)[number];

/**
 * One thing said, called, answered or shown. `text` is, trimmed: the words; a call's arguments as they were
 * sent; a result's text, "[image]" where it shows one; the last 64 characters of an image's data or URL.
 */
export interface Atom {
  readonly kind: AtomKind;
  readonly text: string;
}

/** How texts begin that programs write into a conversation themselves. */
const HARNESS_OPENINGS = [
  // Claude Code
  "<system-reminder>",
  "<local-command-caveat>",
  "<local-command-stdout>",
  "<command-name>",
  "[Request interrupted",
  // Codex
  "<environment_context>",
  "# AGENTS.md instructions",
  "<user_instructions>",
  "<permissions instructions>",
  "<skills_instructions>",
  "<plugins_instructions>",
  "<apps_instructions>",
  "<tools>",
  "<model_switch>",
  "<collaboration_mode>",
  "<multi_agent",
  "<personality",
  "<turn_aborted>",
  "<image name=",
  "</image>",
  "You are Codex",
  // Kilo
  "<environment_details>",
  // Gemini CLI and its kin
  "<session_context>",
];

/** Whole texts that programs put in to keep the roles alternating. */
const HARNESS_FILLERS = new Set([
  "No response requested",
  "No response requested.",
  "Continue from where you left off",
  "Continue from where you left off.",
  "(no content)",
  "[The previous response was interrupted before it completed.]",
  // GitHub Copilot CLI: before each picture that has no name.
  "Attached image",
]);

/** The atoms of a request body, oldest first. A body of no known dialect has none. */
export function atomsOf(body: JsonObject): Atom[] {
  if (body.input !== undefined) return objectsOf(body.input).flatMap(fromResponsesItem);
  if (body.contents !== undefined) return fromGemini(objectsOf(body.contents));
  return objectsOf(body.messages).flatMap(fromMessage);
}

/** OpenAI Responses: one item of `input`. A message need not say that it is one, and may be a text alone. */
function fromResponsesItem(item: JsonObject): Atom[] {
  const type = asString(item.type) ?? (asString(item.role) === undefined ? "" : "message");
  switch (type) {
    case "message":
      if (item.role !== "user" && item.role !== "assistant") return [];
      if (typeof item.content === "string") return said(item.role, item.content);
      return objectsOf(item.content).flatMap((part) =>
        part.type === "input_image" ? image(part.image_url) : said(item.role, part.text),
      );
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return [atom("call", item.arguments ?? item.input ?? JSON.stringify(item.action))];
    default:
      return type.endsWith("_output") ? [atom("result", resultText(item.output))] : [];
  }
}

/** Qwen Code, Factory Droid. */
const BEHIND_A_RESULT = new Set([
  "(attached media from previous tool call)",
  "Image content from tool result:",
]);

/** Anthropic Messages and Chat Completions: one of `messages`. */
function fromMessage(message: JsonObject): Atom[] {
  if (message.role === "system" || message.role === "developer") return [];
  if (message.role === "tool") return [atom("result", resultText(message.content))];
  const parts =
    typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : objectsOf(message.content);
  // Where a result cannot hold pictures, they are sent behind it; other programs have them inside.
  if (message.role === "user" && BEHIND_A_RESULT.has(asString(parts[0]?.text) ?? "")) return [];
  return [
    ...parts.flatMap((part) => fromPart(message.role, part)),
    ...objectsOf(message.tool_calls).map((call) => atom("call", asObject(call.function)?.arguments)),
  ];
}

function fromPart(role: unknown, part: JsonObject): Atom[] {
  switch (part.type) {
    case "text":
      return said(role, part.text);
    case "tool_use":
      return [atom("call", JSON.stringify(part.input))];
    case "tool_result":
      return [atom("result", resultText(part.content))];
    case "image": {
      const source = asObject(part.source);
      return image(source?.data ?? source?.url);
    }
    case "image_url":
      return image(asObject(part.image_url)?.url ?? part.image_url);
    default:
      return [];
  }
}

/** Gemini CLI sends a result of its own sessions twice when it resumes them: it is one answer. */
function fromGemini(contents: readonly JsonObject[]): Atom[] {
  const answered = new Set<string>();
  return contents.flatMap((content) => {
    const role = content.role === "model" ? "assistant" : "user";
    let isOfResult = false;
    return objectsOf(content.parts).flatMap((part) => {
      const answer = asObject(part.functionResponse);
      // The pictures of a result stand behind it; other programs have them inside.
      isOfResult = answer !== undefined || (isOfResult && part.inlineData !== undefined);
      if (isOfResult && !answer) return [];
      const key = answer && JSON.stringify([answer.id, answer.response]);
      const isAgain = answer?.id !== undefined && key !== undefined && answered.has(key);
      if (key !== undefined) answered.add(key);
      return isAgain ? [] : fromGeminiPart(role, part);
    });
  });
}

function fromGeminiPart(role: "assistant" | "user", part: JsonObject): Atom[] {
  const call = asObject(part.functionCall);
  if (call) return [atom("call", JSON.stringify(call.args))];
  const answer = asObject(part.functionResponse);
  if (answer) {
    const { output, error } = asObject(answer.response) ?? {};
    return [atom("result", output ?? error ?? JSON.stringify(answer.response))];
  }
  const data = asObject(part.inlineData);
  if (data) return image(data.data);
  return part.thought ? [] : said(role, part.text);
}

/** GitHub Copilot CLI puts the moment before what is typed, and reminders of its own behind it. */
const WRAPPING =
  /^<current_datetime>[^<]*<\/current_datetime>\n\n|\n\n<system_reminder>\n(?:(?!<system_reminder>)[\s\S])*\n<\/system_reminder>$/g;

/** Factory Droid puts words of its own around a summary; other programs send it as it is. */
const DROID_SUMMARY =
  /^A previous instance of Droid has summarized the conversation[^\n]*\n+<summary>\n([\s\S]*?)\n<\/summary>/;

function said(role: unknown, text: unknown): Atom[] {
  const whole = normal(text);
  const bare = DROID_SUMMARY.exec(whole)?.[1] ?? whole;
  const words = role === "user" ? bare.replace(WRAPPING, "").trim() : whole;
  const isHarness =
    HARNESS_FILLERS.has(words) || HARNESS_OPENINGS.some((opening) => words.startsWith(opening));
  if (words === "" || isHarness || (role !== "user" && role !== "assistant")) return [];
  return [{ kind: role, text: words }];
}

function image(dataOrUrl: unknown): Atom[] {
  return [{ kind: "image", text: normal(dataOrUrl).slice(-64) }];
}

function atom(kind: AtomKind, text: unknown): Atom {
  return { kind, text: normal(text) };
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? "");
  return content
    .map((part: unknown) => {
      const { text, type } = asObject(part) ?? {};
      return text ?? (asString(type)?.includes("image") ? "[image]" : "");
    })
    .join("\n");
}

function normal(text: unknown): string {
  return String(text ?? "")
    .replaceAll("\r\n", "\n")
    .trim();
}
