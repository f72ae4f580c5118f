/** What this machine remembers of earlier conversions; loaded when it is asked. */
import { stateFolder, type Trail } from "@asp-convert/core";
import type { SessionLog } from "@asp-convert/store";
import type { Terminal } from "./terminal.js";
import { absolute, registry, source } from "./toolkit.js";

/** @param folder of a log; absent: this person's own, `log` in the folder that also holds the receipts. */
export async function logIn(folder: string | undefined, terminal: Terminal): Promise<SessionLog> {
  const { SessionLog: Log } = await import("@asp-convert/store");
  const own = `${stateFolder(terminal.environment)}/log`;
  return new Log(folder === undefined ? own : absolute(folder, terminal), source);
}

export function trailOf(terminal: Terminal): Trail {
  let made: Promise<Trail> | undefined;
  const trail = (): Promise<Trail> => {
    made ??= Promise.all([import("@asp-convert/store"), logIn(undefined, terminal)]).then(
      ([{ createTrail }, log]) =>
        createTrail({ log, converterOf: (id) => registry.all.find((converter) => converter.id === id) }),
    );
    return made;
  };
  return {
    homeOf: async (departure) => (await trail()).homeOf(departure),
    pack: async (departure, target, at) => (await trail()).pack(departure, target, at),
    note: async (arrival) => (await trail()).note(arrival),
    keep: async (noted) => (await trail()).keep(noted),
  };
}
