/** Questions to a person: arrow keys, on a terminal only. */
import type { SessionRef } from "@asp-convert/core";
import { CommandError, exit } from "./errors.js";
import type { Terminal } from "./terminal.js";
import { plural, when } from "./ui/format.js";
import { shortPath } from "./ui/paths.js";
import { oneLine } from "./ui/text.js";
import { truncate } from "./ui/width.js";

/** A menu of thousands is no menu: what is older is found by typing. */
const SHOWN = 12;

/** One session; typing narrows the list. */
export async function askForSession(refs: readonly SessionRef[], terminal: Terminal): Promise<SessionRef> {
  const prompts = await import("@clack/prompts");
  const hint = (ref: SessionRef) =>
    [
      ref.cwd === undefined ? "" : oneLine(shortPath(ref.cwd, terminal.environment)),
      ref.messages === undefined ? "" : plural(ref.messages, "message"),
    ]
      .filter((part) => part !== "")
      .join(", ");
  return ask<SessionRef>(terminal, () =>
    prompts.autocomplete<SessionRef>({
      message: `Which of ${plural(refs.length, "session")}?`,
      maxItems: SHOWN,
      options: refs.map((ref) => ({
        value: ref,
        label: `${when(ref.updatedAt ?? ref.createdAt)}  ${truncate(oneLine(ref.title ?? ref.id), 60)}`,
        hint: hint(ref),
      })),
    }),
  );
}

/** Esc and Ctrl-C end the whole thing. */
export async function ask<T>(terminal: Terminal, question: () => Promise<T | symbol>): Promise<T> {
  const answer = await question();
  if (typeof answer === "symbol" || terminal.signal.aborted) {
    throw new CommandError("nothing was done", { exit: exit.interrupted, code: "interrupted" });
  }
  return answer as T;
}
