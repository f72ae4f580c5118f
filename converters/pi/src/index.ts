/** Pi: everything this converter does. */
import { type Converter, defineConverter } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { AGENT_VARIABLE, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { replaySession } from "./sessions/replay.js";
import { writeSession } from "./sessions/write.js";
import { VERIFIED } from "./version.js";

const LATER = { absent: "comes with the next release of this converter" };

const pi: Converter = defineConverter({
  id: "pi",
  name: "Pi",
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
  instructions: LATER,
  skills: LATER,
  tools: LATER,
  memory: { absent: "Pi keeps no memory" },
  settings: LATER,
});

export default pi;
