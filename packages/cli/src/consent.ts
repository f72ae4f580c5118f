/**
 * What would run in the target comes along only if the person, who was shown it, says so; what a bundle from anywhere
 * would have the model read is shown before it is installed.
 */
import type { ConvertRequest, ItemReport, KindContext, StateRequest } from "@asp-convert/core";
import { convert, readKind } from "@asp-convert/core";
import type { CommonOptions, StateOptions } from "./options.js";
import type { Terminal } from "./terminal.js";
import { plural } from "./ui/format.js";
import { oneLine } from "./ui/text.js";

/** The same request, with what was said at the questions. Where nobody can be asked nothing more is allowed. */
export async function withConsent(
  request: ConvertRequest,
  options: CommonOptions & StateOptions,
  terminal: Terminal,
): Promise<ConvertRequest> {
  const mayAsk = terminal.interactive && !options.json && !options.quiet && !request.dryRun;
  const shown = request.from.container ? await withTexts(request, mayAsk, terminal) : request;
  const { state } = shown;
  if (!state || state.allowTools || !mayAsk) return shown;
  const { forbid: _, ...rest } = shown;
  const { items } = await convert({ ...rest, refs: [], dryRun: true });
  const waiting = items.filter(({ outcome, reason }) => outcome === "left" && reason === "consent-needed");
  if (waiting.length === 0) return shown;
  const { confirm } = await import("@clack/prompts");
  terminal.say(`${plural(waiting.length, "thing")} would run in the target:`);
  for (const item of waiting) terminal.say(`  ${lineOf(item)}`);
  const answer = await confirm({ message: "Let them come along?", initialValue: false });
  return answer === true ? { ...shown, state: { ...state, allowTools: true } } : shown;
}

/** So many lines of a text are shown; the bundle has them all. */
const LINES = 15;

/** Instructions and notes of a bundle, shown; a no leaves them out. */
async function withTexts(
  request: ConvertRequest,
  mayAsk: boolean,
  terminal: Terminal,
): Promise<ConvertRequest> {
  const { state } = request;
  const texts = state ? await textsOf(request, state) : [];
  if (!state || texts.length === 0) return request;
  terminal.say("The bundle has texts that the model will be given:");
  for (const { name, text } of texts) {
    const lines = text.trimEnd().split("\n");
    terminal.say(`  ${oneLine(name)}`);
    for (const line of lines.slice(0, LINES)) terminal.say(`    ${oneLine(line)}`);
    if (lines.length > LINES) terminal.say(`    … ${plural(lines.length - LINES, "more line")}`);
  }
  if (!mayAsk) return request;
  const { confirm } = await import("@clack/prompts");
  const answer = await confirm({ message: "Take them?", initialValue: true });
  if (answer === true) return request;
  const kinds = state.kinds.filter((kind) => kind !== "instructions" && kind !== "memory");
  return { ...request, state: { ...state, kinds } };
}

async function textsOf(
  request: ConvertRequest,
  state: StateRequest,
): Promise<{ name: string; text: string }[]> {
  const { from, store, source, environment } = request;
  const { user, projects, followLinks } = state;
  const context: KindContext = { source, environment, losses: [], items: [], user, projects, followLinks };
  const texts: { name: string; text: string }[] = [];
  if (state.kinds.includes("instructions") && !("absent" in from.instructions)) {
    const found = (await readKind("instructions", from.instructions, store, context)).state;
    for (const { source: name, text } of found?.files ?? []) texts.push({ name, text });
  }
  if (state.kinds.includes("memory") && !("absent" in from.memory)) {
    const found = (await readKind("memory", from.memory, store, context)).state;
    for (const { path, text } of found?.notes ?? []) if (text !== undefined) texts.push({ name: path, text });
  }
  return texts;
}

function lineOf({ kind, item, note }: ItemReport): string {
  return oneLine(note === undefined ? `${kind} ${item}` : `${kind} ${item}: ${note}`);
}
