/** Bare `asp-convert` in a terminal. */
import type { Converter, Store } from "@asp-convert/core";
import { ask, askForSession } from "./ask.js";
import { CommandError } from "./errors.js";
import type { Terminal } from "./terminal.js";
import { shortPath } from "./ui/paths.js";
import { oneLine } from "./ui/text.js";

/** A store, a session, a target; then it is converted. */
export async function pick(terminal: Terminal): Promise<void> {
  const [prompts, toolkit, { standpoint, tellUnreadable }, { runConvert }] = await Promise.all([
    import("@clack/prompts"),
    import("./toolkit.js"),
    import("./run.js"),
    import("./commands/convert.js"),
  ]);
  const stores = await toolkit.findStores(terminal);
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
  const { refs, unreadable } = await toolkit.sessionsOf(store.converter, store.store, terminal);
  tellUnreadable(unreadable, terminal);
  if (refs.length === 0)
    throw new CommandError(`${store.store.root}: no sessions here`, { code: "no-sessions" });
  const chosen = await askForSession(refs, terminal);
  const to = await ask<string>(terminal, () =>
    prompts.select({
      message: "Where to?",
      options: toolkit.targets().map(({ id, name }) => ({ value: id, label: name })),
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
