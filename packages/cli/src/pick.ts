/** Questions to a person: arrow keys, on a terminal only. */
import type { Converter, SessionRef, Store } from "@asp-convert/core";
import { CommandError, exit } from "./errors.js";
import type { Terminal } from "./terminal.js";
import { count, plural, when } from "./ui/format.js";
import { shortPath } from "./ui/paths.js";
import { oneLine } from "./ui/text.js";
import { truncate } from "./ui/width.js";

/** A menu of thousands is no menu: what is older is found by typing. */
const SHOWN = 12;

/** Bare `asp-convert`: a store, a session, a target. */
export async function pick(terminal: Terminal): Promise<void> {
  const [prompts, toolkit, { standpoint }, { runConvert }] = await Promise.all([
    import("@clack/prompts"),
    import("./toolkit.js"),
    import("./run.js"),
    import("./commands/convert.js"),
  ]);
  const stores = await toolkit.registry.findStores(terminal.environment, toolkit.source);
  if (stores.length === 0) {
    const { help } = await import("./help.js");
    await terminal.print(help());
    terminal.say("No store of a known program was found on this machine. Point at one: asp-convert PATH");
    return;
  }
  const store = await ask<{ converter: Converter; store: Store }>(terminal, () =>
    prompts.select({
      message: "Where from?",
      options: stores.map((value) => ({
        value,
        label: value.converter.name,
        hint: oneLine(shortPath(value.store.root, standpoint(terminal))),
      })),
    }),
  );
  const refs = await toolkit.sessionsOf(store.converter, store.store, terminal);
  if (refs.length === 0)
    throw new CommandError(`${store.store.root}: no sessions here`, { code: "no-sessions" });
  const chosen = await askForSessions(refs, terminal);
  const to = await ask<string>(terminal, () =>
    prompts.select({
      message: "Where to?",
      options: toolkit.harnesses.map(({ id, name }) => ({ value: id, label: name })),
    }),
  );
  const install = await ask<boolean>(terminal, () =>
    prompts.select({
      message: "Into which store?",
      options: [
        { value: true, label: "its own", hint: "can be taken back: asp-convert undo" },
        { value: false, label: `./asp-out/${to}`, hint: "a folder here" },
      ],
    }),
  );
  await runConvert(
    store.store.root,
    {
      to,
      from: store.converter.id,
      session: chosen.map(({ id }) => id),
      loss: "warn",
      color: true,
      ...(install && { install }),
    },
    terminal,
  );
}

/** One or more sessions; typing narrows the list. */
export async function askForSessions(refs: readonly SessionRef[], terminal: Terminal): Promise<SessionRef[]> {
  const [prompts, { standpoint }] = await Promise.all([import("@clack/prompts"), import("./run.js")]);
  return ask<SessionRef[]>(terminal, () =>
    prompts.autocompleteMultiselect<SessionRef>({
      message: `Which of ${plural(refs.length, "session")}? (type to search, tab to mark, enter to go on)`,
      maxItems: SHOWN,
      required: true,
      initialValues: refs.slice(0, 1),
      options: refs.map((ref) => ({
        value: ref,
        label: truncate(oneLine(ref.title ?? ref.id), 60),
        hint: [
          when(ref.updatedAt ?? ref.createdAt),
          ref.cwd === undefined ? "" : oneLine(shortPath(ref.cwd, standpoint(terminal))),
          ref.messages === undefined ? "" : `${count(ref.messages)} messages`,
        ]
          .filter((part) => part !== "")
          .join(", "),
      })),
    }),
  );
}

/** Esc and Ctrl-C end the whole thing. */
async function ask<T>(terminal: Terminal, question: () => Promise<T | symbol>): Promise<T> {
  const answer = await question();
  if (typeof answer === "symbol" || terminal.signal.aborted) {
    throw new CommandError("nothing was done", { exit: exit.interrupted, code: "interrupted" });
  }
  return answer as T;
}
