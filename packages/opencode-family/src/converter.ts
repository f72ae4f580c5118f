/** What every program of the family does with sessions: read this first. */
import { type Converter, pathOf, type SessionsKind } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { databaseName, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import type { Program } from "./program.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { replaySession } from "./sessions/replay.js";
import { planSession } from "./sessions/write.js";
import { rowsView } from "./view.js";

/** All of a converter but the five kinds beside sessions. */
export type FamilyConverter = Omit<Converter, "instructions" | "skills" | "tools" | "memory" | "settings">;

export function familyConverter(program: Program): FamilyConverter {
  const variable = `${program.prefix}_DB`;
  const sessions: SessionsKind = {
    list: (store, context) => listSessions(program, store, context),
    read: readSession,
    write: (input, target) => planSession(program, input, target),
    replay: (ref, files, target) => replaySession(program, ref, files, target),
    view: async (store, source) => rowsView(store, source, store.root.startsWith("/") ? "linux" : "win32"),
    fidelity,
    resume: {
      needs: [
        {
          what: "a working directory",
          missing: ({ cwd }) =>
            cwd ? undefined : "the source does not say which folder it was in; give one with --cwd",
        },
      ],
      command: (id) => [program.command, "--session", id],
      variable,
      variables: (root, environment) => ({
        [variable]: pathOf(environment).resolve(
          environment.cwd,
          root,
          databaseName(program, root, { ...environment, env: {} }),
        ),
      }),
    },
    carrier:
      "`asp` in `session.metadata` and in the `metadata` of parts: the program keeps both and sends neither to a model",
  };
  return {
    id: program.id,
    name: program.name,
    verified: program.verified,
    probe: (candidate) => probe(program, candidate),
    locate: (environment) => storeRoots(program, environment),
    open: (path, source, environment) => open(program, path, source, environment),
    sessions,
  };
}
