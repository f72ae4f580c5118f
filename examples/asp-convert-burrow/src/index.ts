/** Burrow: everything this converter does. */
import { type Candidate, type Converter, defineConverter } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { DATABASE, rootOf, roots, VARIABLE } from "./layout.js";
import { VERSION } from "./records.js";
import { viewOf } from "./rows.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { replaySession } from "./sessions/replay.js";
import { writeSession } from "./sessions/write.js";

const none = { absent: "Burrow keeps nothing but sessions" };

const converter: Converter = defineConverter({
  id: "burrow",
  name: "Burrow",
  verified: [VERSION],
  probe,
  locate: roots,
  open: async (path) => ({
    harness: "burrow",
    root: rootOf(path),
    ...(path.endsWith(".jsonl") && { focus: path }),
  }),
  sessions: {
    list: listSessions,
    read: readSession,
    write: writeSession,
    replay: replaySession,
    view: async (store, source) => viewOf(store, source),
    fidelity: { read: fidelity.read, write: fidelity.write },
    resume: {
      needs: [
        {
          what: "a working directory",
          missing: ({ cwd }) => (cwd ? undefined : "the source does not say which folder it was in"),
        },
      ],
      command: (id) => ["burrow", "resume", id],
      variable: VARIABLE,
    },
    carrier: "columns of our own would not be kept: nothing is carried",
  },
  // A kind that the program does not have: { absent: "why" }. One it has: { read, write, fidelity }.
  instructions: none,
  skills: none,
  tools: none,
  memory: none,
  settings: none,
});

export default converter;

/** Certain of a folder with its database in it, and of a session's rows as a file. */
function probe({ kind, head, entries, path }: Candidate): number {
  if (kind === "directory") return entries.includes(DATABASE) ? 90 : 0;
  const start = Buffer.from(head.subarray(0, 4096)).toString("latin1");
  if (/^(\xef\xbb\xbf)?\s*\{"table":"session",.*"cwd":/.test(start)) return 90;
  return path.endsWith(`/${DATABASE}`) && start.startsWith("SQLite format 3") ? 90 : 0;
}
