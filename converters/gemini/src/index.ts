/** Gemini CLI: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach, lazyKind } from "@asp-convert/core";
import {
  instructionFidelity,
  memoryFidelity,
  settingFidelity,
  skillFidelity,
  toolFidelity,
} from "@asp-convert/gemini-family";
import * as fidelity from "./fidelity.js";
import { HOME_VARIABLE, homeOf, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { openProject, projectScore } from "./project.js";
import { VERIFIED } from "./version.js";

const kinds = () => import("@asp-convert/gemini-family/kinds");
const program = async () => (await import("./program.js")).program;

const gemini: Converter = defineConverter({
  id: "gemini",
  name: "Gemini CLI",
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
              ? "nothing was said in it, and Gemini CLI resumes no such session"
              : undefined,
        },
      ],
      command: (id) => ["gemini", "--resume", id],
      variable: HOME_VARIABLE,
      variables: (root, environment) => ({ [HOME_VARIABLE]: homeOf(root, environment) }),
    },
    carrier: "the key `asp` on records: Gemini CLI keeps it and never sends it to its model",
  },
  instructions: lazyKind(instructionFidelity, async () => (await kinds()).instructions(await program())),
  skills: lazyKind(skillFidelity, async () => (await kinds()).skills(await program())),
  tools: lazyKind(toolFidelity, async () => (await kinds()).tools(await program())),
  memory: lazyKind(memoryFidelity, async () => (await kinds()).memory(await program())),
  settings: lazyKind(settingFidelity, async () => (await kinds()).settings(await program())),
});

export default gemini;
