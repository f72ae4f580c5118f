/** Kimi Code: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach, lazyKind } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { instructionFidelity, settingFidelity, skillFidelity, toolFidelity } from "./fidelity-state.js";
import { STATE_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { program } from "./program.js";
import { openProject, projectScore } from "./project.js";
import { VERIFIED } from "./version.js";

const kimi: Converter = defineConverter({
  id: "kimi",
  name: "Kimi Code",
  verified: VERIFIED,
  probe: async (candidate) => Math.max(await probe(candidate), await projectScore(candidate)),
  locate: storeRoots,
  open: async (path, source, environment) =>
    (await openProject(path, source, environment)) ?? open(path, source, environment),
  sessions: {
    list: lazyEach(async () => (await import("./sessions/list.js")).listSessions),
    read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
    write: lazyCall(async () => (await import("./sessions/write.js")).writeSession),
    replay: lazyCall(async () => (await import("./sessions/replay.js")).replaySession),
    extend: lazyCall(async () => (await import("./sessions/extend.js")).extendSession),
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
      command: (id) => ["kimi", "--session", id],
      variable: STATE_VARIABLE,
      program,
    },
    carrier: "the key `asp` on records of a journal, and `custom.asp` in state.json: Kimi Code sends neither",
  },
  instructions: lazyKind(instructionFidelity, async () => (await import("./instructions.js")).instructions),
  skills: lazyKind(skillFidelity, async () => (await import("./skills.js")).skills),
  tools: lazyKind(toolFidelity, async () => (await import("./tools.js")).tools),
  memory: { absent: "Kimi Code keeps no notes of its own: AGENTS.md is all that it remembers by" },
  settings: lazyKind(settingFidelity, async () => (await import("./settings.js")).settings),
});

export default kimi;
