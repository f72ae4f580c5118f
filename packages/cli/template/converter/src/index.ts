/** Acme: everything this converter does. */
import { type Candidate, type Converter, defineConverter } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { rootOf, roots, VARIABLE } from "./layout.js";
import { VERSION } from "./records.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { replaySession } from "./sessions/replay.js";
import { writeSession } from "./sessions/write.js";

const unknown = { absent: "TODO: not looked at yet", unread: true } as const;

const converter: Converter = defineConverter({
  id: "acme",
  name: "Acme",
  verified: [VERSION],
  probe,
  locate: roots,
  open: async (path) => ({
    harness: "acme",
    root: rootOf(path),
    ...(path.endsWith(".jsonl") && { focus: path }),
  }),
  sessions: {
    list: listSessions,
    read: readSession,
    write: writeSession,
    replay: replaySession,
    fidelity: { read: fidelity.read, write: fidelity.write },
    resume: {
      needs: [
        {
          what: "a working directory",
          missing: ({ cwd }) => (cwd ? undefined : "the source does not say which folder it was in"),
        },
      ],
      command: (id) => ["acme", "resume", id],
      variable: VARIABLE,
      // TODO: program: { dialect: "chat", start: ({ session, prompt, url }) => ({ args: [ … ], env: { … } }) },
    },
    carrier: "the key `from` of the first record, which Acme ignores",
  },
  // A kind that the program does not have: { absent: "why" }. One it has: { read, write, fidelity }; until it is read,
  // { absent: "why", unread: true }.
  instructions: unknown,
  skills: unknown,
  tools: unknown,
  memory: unknown,
  settings: unknown,
});

export default converter;

/** 90 and more: only Acme leaves this mark. 50: the right shape. 0: not ours. */
function probe({ kind, head, entries, path }: Candidate): number {
  if (kind === "file") {
    const start = Buffer.from(head.subarray(0, 256)).toString("utf8");
    return /^\ufeff?\s*\{"type":"session",.*"cwd":/.test(start) ? 90 : 0;
  }
  return /(^|[/.])acme$/.test(path) && entries.includes("sessions")
    ? 60
    : entries.includes("acme.json")
      ? 90
      : 0;
}
