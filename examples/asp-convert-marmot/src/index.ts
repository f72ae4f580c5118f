/** Marmot: everything this converter does. */
import { type Candidate, type Converter, defineConverter } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { instructions } from "./instructions.js";
import { INSTRUCTIONS, rootOf, roots, SERVERS, VARIABLE } from "./layout.js";
import { VERSION } from "./records.js";
import { listSessions } from "./sessions/list.js";
import { readSession } from "./sessions/read.js";
import { replaySession } from "./sessions/replay.js";
import { writeSession } from "./sessions/write.js";
import { tools } from "./tools.js";

const converter: Converter = defineConverter({
  id: "marmot",
  name: "Marmot",
  verified: [VERSION],
  probe,
  locate: roots,
  open: async (path) => ({
    harness: "marmot",
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
      command: (id) => ["marmot", "--talk", id],
      variable: VARIABLE,
      program: {
        dialect: "chat",
        start: ({ session, prompt, url }) => ({
          args: ["--talk", session, "--say", prompt],
          env: { MARMOT_MODEL_URL: url, MARMOT_MODEL_KEY: "none" },
        }),
      },
    },
    carrier: "the key `from` of the first record, which Marmot ignores",
  },
  instructions,
  skills: { absent: "Marmot has no skills" },
  tools,
  memory: { absent: "Marmot keeps no notes of its own" },
  settings: { absent: "Marmot is set up by the variables of its environment alone" },
});

export default converter;

/** 90: only Marmot leaves this mark. 60: the right name and shape. 0: not ours. */
function probe({ kind, head, entries, path }: Candidate): number {
  if (kind === "file") {
    const start = Buffer.from(head.subarray(0, 512)).toString("utf8");
    return /^\ufeff?\s*\{"kind":"talk","at":\d+,.*"dir":/.test(start) ? 90 : 0;
  }
  if (entries.includes("talks") && (entries.includes(INSTRUCTIONS) || entries.includes(SERVERS))) return 90;
  return /(^|[/.])marmot$/.test(path) && entries.includes("talks") ? 60 : 0;
}
