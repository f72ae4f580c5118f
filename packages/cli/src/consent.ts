/** What would run in the target comes along only if the person, who was shown it, says so. */
import type { ConvertRequest, ItemReport } from "@asp-convert/core";
import { convert } from "@asp-convert/core";
import type { CommonOptions, StateOptions } from "./options.js";
import type { Terminal } from "./terminal.js";
import { plural } from "./ui/format.js";
import { oneLine } from "./ui/text.js";

/** The same request, with a consent that was given at the question. Where nobody can be asked nothing is. */
export async function withConsent(
  request: ConvertRequest,
  options: CommonOptions & StateOptions,
  terminal: Terminal,
): Promise<ConvertRequest> {
  const { state } = request;
  const mayAsk = terminal.interactive && !options.json && !options.quiet && !request.dryRun;
  if (!state || state.allowTools || !mayAsk) return request;
  const { forbid: _, ...rest } = request;
  const { items } = await convert({ ...rest, refs: [], dryRun: true });
  const waiting = items.filter(({ outcome, reason }) => outcome === "left" && reason === "consent-needed");
  if (waiting.length === 0) return request;
  const { confirm } = await import("@clack/prompts");
  terminal.say(`${plural(waiting.length, "thing")} would run in the target:`);
  for (const item of waiting) terminal.say(`  ${lineOf(item)}`);
  const answer = await confirm({ message: "Let them come along?", initialValue: false });
  return answer === true ? { ...request, state: { ...state, allowTools: true } } : request;
}

function lineOf({ kind, item, note }: ItemReport): string {
  return oneLine(note === undefined ? `${kind} ${item}` : `${kind} ${item}: ${note}`);
}
