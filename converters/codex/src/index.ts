/** Codex CLI: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach, lazyKind } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import {
  instructionFidelity,
  memoryFidelity,
  settingFidelity,
  skillFidelity,
  toolFidelity,
} from "./fidelity-state.js";
import { HOME_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { openProject, projectScore } from "./project.js";
import { VERIFIED } from "./version.js";

const codex: Converter = defineConverter({
  id: "codex",
  name: "Codex CLI",
  verified: VERIFIED,
  probe: async (candidate) => Math.max(await probe(candidate), projectScore(candidate)),
  locate: storeRoots,
  open: async (path, source, environment) =>
    (await openProject(path, source, environment)) ?? open(path, source, environment),
  sessions: {
    list: lazyEach(async () => (await import("./sessions/list.js")).listSessions),
    read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
    write: lazyCall(async () => (await import("./sessions/write.js")).writeSession),
    replay: lazyCall(async () => (await import("./sessions/replay.js")).replaySession),
    extend: lazyCall(async () => (await import("./sessions/extend.js")).extendSession),
    carried: lazyEach(async () => (await import("./sessions/carried.js")).carried),
    fidelity: { read: fidelity.read, write: fidelity.write },
    resume: {
      needs: [
        {
          what: "a working directory",
          missing: ({ cwd }) =>
            cwd ? undefined : "the source does not say which folder it was in; give one with --cwd",
        },
      ],
      command: (id) => ["codex", "resume", id],
      variable: HOME_VARIABLE,
    },
    carrier:
      "keys named `asp` inside session_meta, messages and outputs, and records of type `asp_evidence`: Codex ignores keys and records it does not know and never sends them",
  },
  instructions: lazyKind(instructionFidelity, async () => (await import("./instructions.js")).instructions),
  skills: lazyKind(skillFidelity, async () => (await import("./skills.js")).skills),
  tools: lazyKind(toolFidelity, async () => (await import("./tools.js")).tools),
  memory: lazyKind(memoryFidelity, async () => (await import("./memory.js")).memory),
  settings: lazyKind(settingFidelity, async () => (await import("./settings.js")).settings),
});

export default codex;
