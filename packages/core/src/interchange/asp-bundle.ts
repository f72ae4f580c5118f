/** `asp-bundle` version 1: one session in one JSON file, as the public implementation interchanges it. */
import type { Candidate, Converter } from "../converter/contract.js";
import { lazyCall, lazyEach } from "../converter/lazy.js";
import { type FidelityTable, sessionAxes } from "../fidelity/axes.js";
import { defineFormat } from "./format.js";

const everything = Object.fromEntries(
  Object.keys(sessionAxes).map((axis) => [axis, "preserved"]),
) as FidelityTable;

/** The log tells all; the native bytes, and what only they hold, are not in it. */
const told: FidelityTable = { ...everything, "side-records": "dropped", raw: "dropped" };

export const aspBundle: Converter = defineFormat({
  id: "asp-bundle",
  name: "asp-bundle version 1",
  extension: ".json",
  probe: ({ kind, head }: Candidate) => (kind === "file" && isMarked(head) ? 100 : 0),
  list: lazyEach(async () => {
    const { listSingle } = await import("../bundle/single.js");
    return (store, { source }) => listSingle(store, source);
  }),
  read: lazyEach(async () => (await import("../bundle/single.js")).readSingle),
  write: lazyCall(async () => (await import("../bundle/write-single.js")).writeSingle),
  fidelity: { read: everything, write: told },
  carrier: "the file is ours as a whole",
});

/** Enough of a file to see its first line. */
const HEAD = 256;

function isMarked(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, HEAD)).toString("utf8");
  return /^\s*\{/.test(text) && /"format"\s*:\s*"asp-bundle"/.test(text);
}
