/** GitHub Copilot CLI: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach, lazyKind } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { instructionFidelity, skillFidelity, toolFidelity } from "./fidelity-state.js";
import { HOME_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { openProject, projectScore } from "./project.js";
import { VERIFIED } from "./version.js";

const copilot: Converter = defineConverter({
  id: "copilot",
  name: "GitHub Copilot CLI",
  verified: VERIFIED,
  experimental:
    "tried with a provider of one's own and no account; over GitHub's own API, and with an account's policies and memory, nothing was seen",
  probe: async (candidate) => Math.max(await probe(candidate), await projectScore(candidate)),
  locate: storeRoots,
  open: async (path, source, environment) =>
    (await openProject(path, source, environment)) ?? open(path, source, environment),
  sessions: {
    list: lazyEach(async () => (await import("./sessions/list.js")).listSessions),
    read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
    write: lazyCall(async () => (await import("./sessions/write.js")).writeSession),
    replay: lazyCall(async () => (await import("./sessions/replay.js")).replaySession),
    view: async (_store, source) => (await import("./sessions/view.js")).agentView(source),
    fidelity: { read: fidelity.read, write: fidelity.write },
    resume: {
      needs: [],
      command: (id) => ["copilot", `--resume=${id}`],
      variable: HOME_VARIABLE,
    },
    carrier: "the key `asp` in an event's data: Copilot CLI keeps it and never sends it to its model",
  },
  instructions: lazyKind(instructionFidelity, async () => (await import("./instructions.js")).instructions),
  skills: lazyKind(skillFidelity, async () => (await import("./skills.js")).skills),
  tools: lazyKind(toolFidelity, async () => (await import("./tools.js")).tools),
  memory: { absent: "what it remembers is kept by GitHub for a repository, not in a file here" },
  settings: { absent: "its settings are not carried yet", unread: true },
});

export default copilot;
