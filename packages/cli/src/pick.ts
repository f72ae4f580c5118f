/** Questions to a person: arrow keys, on a terminal only. */
import type { Converter, SessionRef, Store } from "@asp-convert/core";
import { CommandError, exit } from "./errors.js";
import type { Terminal } from "./terminal.js";
import { plural, when } from "./ui/format.js";
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
  const chosen = await askForSession(refs, terminal);
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
      session: [chosen.id],
      loss: "warn",
      color: true,
      ...(install && { install }),
    },
    terminal,
  );
}

/** One session; typing narrows the list. */
export async function askForSession(refs: readonly SessionRef[], terminal: Terminal): Promise<SessionRef> {
  const [prompts, { standpoint }] = await Promise.all([import("@clack/prompts"), import("./run.js")]);
  const hint = (ref: SessionRef) =>
    [
      ref.cwd === undefined ? "" : oneLine(shortPath(ref.cwd, standpoint(terminal))),
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
async function ask<T>(terminal: Terminal, question: () => Promise<T | symbol>): Promise<T> {
  const answer = await question();
  if (typeof answer === "symbol" || terminal.signal.aborted) {
    throw new CommandError("nothing was done", { exit: exit.interrupted, code: "interrupted" });
  }
  return answer as T;
}
