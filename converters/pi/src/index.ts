/** Pi: everything this converter does. */
import { type Converter, defineConverter, lazyKind } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { instructionFidelity, settingFidelity, skillFidelity, toolFidelity } from "./fidelity-state.js";
import { AGENT_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { openProject, projectScore } from "./project.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { replaySession } from "./sessions/replay.js";
import { writeSession } from "./sessions/write.js";
import { VERIFIED } from "./version.js";

const pi: Converter = defineConverter({
  id: "pi",
  name: "Pi",
  verified: VERIFIED,
  probe: async (candidate) => Math.max(await probe(candidate), await projectScore(candidate)),
  locate: storeRoots,
  open: async (path, source, environment) =>
    (await openProject(path, source, environment)) ?? open(path, source, environment),
  sessions: {
    list: listSessions,
    read: readSession,
    write: writeSession,
    replay: replaySession,
    fidelity: { read: fidelity.read, write: fidelity.write },
    resume: {
      needs: [
        {
          what: "a working directory",
          // A subagent works where the one that started it does.
          missing: ({ cwd, parent }) =>
            cwd || parent?.relation === "subagent"
              ? undefined
              : "the source does not say which folder it was in; give one with --cwd",
        },
      ],
      command: (id) => ["pi", "--session", id],
      variable: AGENT_VARIABLE,
    },
    carrier: "`custom` entries with customType `asp.…`: Pi keeps them and never sends them to its model",
  },
  instructions: lazyKind(instructionFidelity, async () => (await import("./instructions.js")).instructions),
  skills: lazyKind(skillFidelity, async () => (await import("./skills.js")).skills),
  tools: lazyKind(toolFidelity, async () => (await import("./tools.js")).tools),
  memory: { absent: "Pi keeps no memory" },
  settings: lazyKind(settingFidelity, async () => (await import("./settings.js")).settings),
});

export default pi;
