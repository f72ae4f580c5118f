/** Codex CLI: everything this converter does. */
import { type Converter, defineConverter } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { HOME_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { replaySession } from "./sessions/replay.js";
import { writeSession } from "./sessions/write.js";
import { VERIFIED } from "./version.js";

const LATER = { absent: "comes with the next release of this converter" };

const codex: Converter = defineConverter({
  id: "codex",
  name: "Codex CLI",
  verified: VERIFIED,
  probe,
  locate: storeRoots,
  open,
  sessions: {
    list: listSessions,
    read: readSession,
    write: writeSession,
    replay: replaySession,
    fidelity,
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
      "keys named `asp` inside session_meta, messages and outputs: Codex ignores keys it does not know and never sends them",
  },
  instructions: LATER,
  skills: LATER,
  tools: LATER,
  memory: LATER,
  settings: LATER,
});

export default codex;
