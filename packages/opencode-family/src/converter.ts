/** What every program of the family does with sessions: read this first. */
import {
  type Converter,
  defineConverter,
  lazyEach,
  lazyKind,
  pathOf,
  type SessionsKind,
} from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { instructionFidelity, settingFidelity, skillFidelity, toolFidelity } from "./kinds/fidelity.js";
import { configFolder, databaseName, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import type { Program } from "./program.js";

const list = lazyEach(async () => (await import("./sessions/list.js")).listSessions);

export function familyConverter(program: Program): Converter {
  const variable = `${program.prefix}_DB`;
  const sessions: SessionsKind = {
    list: (store, context) => list(program, store, context),
    read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
    write: async (input, target) => (await import("./sessions/write.js")).planSession(program, input, target),
    replay: async (ref, files, target) =>
      (await import("./sessions/replay.js")).replaySession(program, ref, files, target),
    file: { extension: ".json", command: (path) => [program.command, "import", path] },
    view: async (store, source) => (await import("./view.js")).viewOf(store, source),
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
  return defineConverter({
    id: program.id,
    name: program.name,
    verified: program.verified,
    probe: (candidate) => probe(program, candidate),
    locate: (environment) => storeRoots(program, environment),
    alsoWrites: (root, environment) => [configFolder(program, root, environment)],
    open: (path, source, environment) => open(program, path, source, environment),
    sessions,
    instructions: lazyKind(instructionFidelity, async () =>
      (await import("./kinds/instructions.js")).instructions(program),
    ),
    skills: lazyKind(skillFidelity, async () => (await import("./kinds/skills.js")).skills(program)),
    tools: lazyKind(toolFidelity, async () => (await import("./kinds/tools.js")).tools(program)),
    memory: { absent: `${program.name} keeps no memory` },
    settings: lazyKind(settingFidelity, async () => (await import("./kinds/settings.js")).settings(program)),
  });
}
