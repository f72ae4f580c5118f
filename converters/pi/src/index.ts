/** Pi: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach, lazyKind } from "@asp-convert/core";
import { family } from "./family.js";
import * as fidelity from "./fidelity.js";
import { instructionFidelity, settingFidelity, skillFidelity, toolFidelity } from "./fidelity-state.js";
import { AGENT_VARIABLE } from "./layout.js";
import { openFor, probeFor } from "./probe.js";
import { openProject, projectScore } from "./project.js";
import { VERIFIED } from "./version.js";

const probe = probeFor(family.pi);
const open = openFor(family.pi);

const pi: Converter = defineConverter({
  id: "pi",
  name: "Pi",
  verified: VERIFIED,
  probe: async (candidate) => Math.max(await probe(candidate), await projectScore(candidate)),
  locate: family.pi.roots,
  open: async (path, source, environment) =>
    (await openProject(path, source, environment)) ?? open(path, source, environment),
  sessions: {
    list: lazyEach(async () => (await import("./sessions/list.js")).listSessions),
    read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
    write: lazyCall(async () => (await import("./sessions/write.js")).writeSession),
    replay: lazyCall(async () => (await import("./sessions/replay.js")).replaySession),
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

export { ohMyPi, openClaw } from "./relatives.js";
