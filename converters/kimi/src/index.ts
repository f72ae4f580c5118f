/** Kimi Code: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { STATE_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
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
    },
    carrier: "the key `asp` on records of a journal, and `custom.asp` in state.json: Kimi Code sends neither",
  },
  instructions: { absent: "its instructions are not carried yet" },
  skills: { absent: "its skills are not carried yet" },
  tools: { absent: "its MCP servers are not carried yet" },
  memory: { absent: "Kimi Code keeps no notes of its own" },
  settings: { absent: "its settings are not carried yet" },
});

export default kimi;
