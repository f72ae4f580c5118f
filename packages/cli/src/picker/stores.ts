/** Every store of this machine, told of as it is read. */
import type { SessionRef } from "@asp-convert/core";
import { absorb, type Survey, survey } from "../search/fresh.js";
import { indexPath, SearchIndex } from "../search/index-file.js";
import type { Terminal } from "../terminal.js";
import { findStores, sessionsOf } from "../toolkit.js";
import type { FromStores } from "./messages.js";

/** Sessions told of together: one message for each would be most of the work. */
const BATCH = 100;

export async function tellStores(
  wantsIndex: boolean,
  tell: (message: FromStores) => void,
  terminal: Terminal,
): Promise<void> {
  const { usePlugins } = await import("../plugins/use.js");
  await usePlugins({}, [], terminal);
  const stores = await findStores(terminal);
  let index: SearchIndex | undefined;
  try {
    index = wantsIndex ? SearchIndex.open(indexPath(terminal.environment)) : undefined;
  } catch (error) {
    terminal.warn(`texts are not searched: ${error instanceof Error ? error.message : String(error)}`);
  }
  // All are listed before the first text is read: a list is quick, and what is looked for is mostly in a title.
  const surveys: Survey[] = [];
  for (const opened of stores) {
    const { converter, store } = opened;
    const about = { harness: converter.id, name: converter.name, root: store.root };
    let batch: SessionRef[] = [];
    const flush = () => {
      if (batch.length > 0) tell({ kind: "refs", ...about, refs: batch });
      batch = [];
    };
    const onRef = (ref: SessionRef) => {
      batch.push(ref);
      if (batch.length >= BATCH) flush();
    };
    try {
      if (index) surveys.push(await survey(index, opened, terminal, onRef));
      else await sessionsOf(converter, { harness: store.harness, root: store.root }, terminal, onRef);
      flush();
      tell({ kind: "listed", harness: converter.id, root: store.root });
    } catch (error) {
      flush();
      terminal.warn(`${store.root}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const total = surveys.reduce((sum, { toRead }) => sum + toRead.length, 0);
  let done = 0;
  for (const each of surveys) {
    try {
      if (index) await absorb(index, each, terminal, () => tell({ kind: "reading", done: done++, total }));
      tell({ kind: "indexed" });
    } catch (error) {
      terminal.warn(`${each.store.root}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  index?.close();
}
