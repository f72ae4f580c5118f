/**
 * `acp`: NDJSON of what an ACP agent says, one message a line: `session/update` notifications as `session/load` replays
 * them. Read too are recordings of both sides (prompts are the person's messages), and bare updates.
 */
import {
  type Candidate,
  type Converter,
  defineFormat,
  type FidelityTable,
  lazyCall,
  lazyEach,
  sessionAxes,
} from "@asp-convert/core";

const everything = Object.fromEntries(
  Object.keys(sessionAxes).map((axis) => [axis, "preserved"]),
) as FidelityTable;

export const acpFormat: Converter = defineFormat({
  id: "acp",
  name: "ACP",
  extension: ".ndjson",
  probe: ({ kind, head }: Candidate) => (kind === "file" && isAcp(head) ? 95 : 0),
  list: lazyEach(async () => (await import("./read.js")).listSessions),
  read: lazyEach(async () => (await import("./read.js")).readSession),
  write: lazyCall(async () => (await import("./write.js")).writeSession),
  // What only native bytes hold is not in it.
  fidelity: { read: everything, write: { ...everything, "side-records": "dropped", raw: "dropped" } },
  carrier: "`_meta.asp` of an update: clients pass over keys they do not know",
});

/** The first message whole, or the beginning of a long one. */
function isAcp(head: Uint8Array): boolean {
  const [line = ""] = Buffer.from(head).toString("utf8").split("\n", 1);
  if (!line.trimStart().startsWith("{")) return false;
  return (
    /"method"\s*:\s*"(?:session\/(?:update|new|load|prompt)|initialize)"/.test(line) ||
    /"sessionUpdate"\s*:/.test(line)
  );
}
