/** What Gemini CLI 0.61 makes of a record when it sends it: the words it adds, and what it leaves out. */
import { type Fields, fields, name, string } from "@asp-convert/core/values";
import { partsIn } from "@asp-convert/gemini-family";

const CONTEXT = /^\s*<(?:session_context|hook_context|loaded_context)>/;

/** Does the program add this text by itself, at every start? */
export function isContext(text: string): boolean {
  return CONTEXT.test(text);
}

/** A summary that stands for what was before it. */
export function isSnapshot(text: string): boolean {
  return /^\s*<state_snapshot>/.test(text);
}

/** Is a person's message that says this left out when a session is resumed? */
export function isIgnored(content: unknown): boolean {
  const all = partsIn(content).map(shown).join("").trim();
  return all === "" || /^(?:[/?]|<session_context>|<hook_context>)/.test(all);
}

/** A part as the program puts it into a line of text: what is not plain text becomes a word in brackets. */
function shown(part: unknown): string {
  const given = fields(part) ?? {};
  const marks = [
    "videoMetadata",
    "thought",
    "codeExecutionResult",
    "executableCode",
    "fileData",
    "functionCall",
  ];
  const isMarked = [...marks, "functionResponse", "inlineData"].some((key) => given[key] !== undefined);
  return isMarked ? "[]" : (string(given.text) ?? "");
}

/** A thought as the model would be sent it. */
export function thoughtText(thought: Fields): string {
  const subject = name(thought.subject);
  const description = string(thought.description) ?? "";
  return subject === undefined ? description : `**${subject}** ${description}`;
}

/** The two halves of such a text. */
export function thoughtOf(text: string): { subject: string; description: string } {
  const [, subject, description] = /^\*\*([^*\n]+)\*\* ([\s\S]*)$/.exec(text) ?? [];
  return subject === undefined
    ? { subject: "", description: text }
    : { subject, description: description ?? "" };
}
