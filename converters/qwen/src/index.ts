/** Qwen Code: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach, lazyKind } from "@asp-convert/core";
import {
  instructionFidelity,
  memoryFidelity,
  settingFidelity,
  skillFidelity,
  toolFidelity,
} from "@asp-convert/gemini-family";
import * as fidelity from "./fidelity.js";
import { STATE_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { openProject, projectScore } from "./project.js";
import { VERIFIED } from "./version.js";

const kinds = () => import("@asp-convert/gemini-family/kinds");
const program = async () => (await import("./program.js")).program;

const qwen: Converter = defineConverter({
  id: "qwen",
  name: "Qwen Code",
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
      command: (id) => ["qwen", "--resume", id],
      variable: STATE_VARIABLE,
    },
    carrier: "the key `asp` on records: Qwen Code keeps it and never sends it to its model",
  },
  instructions: lazyKind(instructionFidelity, async () => (await kinds()).instructions(await program())),
  skills: lazyKind(skillFidelity, async () => (await kinds()).skills(await program())),
  tools: lazyKind(toolFidelity, async () => (await kinds()).tools(await program())),
  memory: lazyKind(memoryFidelity, async () => (await kinds()).memory(await program())),
  settings: lazyKind(settingFidelity, async () => (await kinds()).settings(await program())),
});

export default qwen;
