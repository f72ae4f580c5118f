/** Cline: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach, lazyKind } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { instructionFidelity, skillFidelity, toolFidelity } from "./kinds/fidelity.js";
import { HOME_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { openProject, projectScore } from "./project.js";
import { VERIFIED } from "./version.js";

const cline: Converter = defineConverter({
  id: "cline",
  name: "Cline",
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
        {
          what: "something said",
          missing: ({ messages, parent }) =>
            messages === 0 && parent?.relation !== "subagent"
              ? "nothing was said in it, and Cline would open an empty session"
              : undefined,
        },
      ],
      command: (id) => ["cline", "--id", id],
      variable: HOME_VARIABLE,
    },
    carrier:
      "the key `asp` in the metadata of messages and manifests: Cline keeps it and never sends it to its model",
  },
  instructions: lazyKind(
    instructionFidelity,
    async () => (await import("./kinds/instructions.js")).instructions,
  ),
  skills: lazyKind(skillFidelity, async () => (await import("./kinds/skills.js")).skills),
  tools: lazyKind(toolFidelity, async () => (await import("./kinds/tools.js")).tools),
  memory: { absent: "Cline keeps no notes of its own: what it is to remember are its rules" },
  settings: {
    absent: "which model goes on stands beside the key of its provider, in a file that is not read",
    unread: true,
  },
});

export default cline;
