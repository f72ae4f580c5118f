/** What every program of the family does with sessions: read this first. */
import type { Converter, SessionsKind } from "@asp-convert/core";
import { databaseName, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import type { Program } from "./program.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { rowsView } from "./view.js";

type Parts = Pick<Converter, "id" | "name" | "verified" | "probe" | "locate" | "open"> & {
  reading: Pick<SessionsKind, "list" | "read" | "view">;
};

export function parts(program: Program): Parts {
  return {
    id: program.id,
    name: program.name,
    verified: program.verified,
    probe: (candidate) => probe(program, candidate),
    locate: (environment) => storeRoots(program, environment),
    open: (path, source, environment) => open(program, path, source, environment),
    reading: {
      list: (store, context) => listSessions(program, store, context),
      read: readSession,
      view: async (store, source) => rowsView(store, source, store.root.startsWith("/") ? "linux" : "win32"),
    },
  };
}

export { databaseName };
