/** Events are well-formed, stand in the promised order, and account for every record and byte. */
import type { EvidenceFile, SessionEvent } from "@asp-convert/core";
import { payloads } from "@asp-convert/core/schema";
import { type Reading, readAll } from "../convert.js";
import { counted, type Files, sourceOf } from "../files.js";
import { type Check, guarded, sessionsOf } from "../kit.js";
import { canonical } from "../talk.js";

export const read: Check = async (subject) => {
  const problems: string[] = [];
  const { converter, fixture } = subject;
  for (const ref of await sessionsOf(subject)) {
    await guarded(ref.id, problems, async () => {
      const use = { bytes: 0, open: 0 };
      const reading = await readAll(converter, ref, counted(sourceOf(fixture.files), use));
      const found = [
        ...wellFormed(reading.events),
        ...inOrder(reading.events),
        ...accounted(reading, ref.files, fixture.files),
        ...(use.open === 0 ? [] : [`left ${use.open} file(s) open`]),
      ];
      problems.push(...found.map((what) => `${ref.id}: ${what}`));
    });
  }
  return problems;
};

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Each event against its schema, and what a bundle needs: plain JSON, and one identity each. */
export function wellFormed(events: readonly SessionEvent[]): string[] {
  const problems: string[] = [];
  const identities = new Map<string, number>();
  events.forEach((event, i) => {
    const at = `event ${i} (${event.type})`;
    const checked = payloads[event.type]?.safeParse(event.payload);
    if (!checked) problems.push(`${at}: no event type of the protocol`);
    else if (!checked.success)
      problems.push(
        `${at}: ${checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")}`,
      );
    if (event.time === undefined ? event.timeInferred : !ISO.test(event.time))
      problems.push(`${at}: time ${String(event.time)}`);
    const json = JSON.stringify(event);
    if (canonical(JSON.parse(json)) !== canonical(event)) problems.push(`${at}: is not plain JSON`);
    if (event.nativeId === undefined) return;
    const identity = `${event.type} ${event.nativeId}`;
    const before = identities.get(identity);
    if (before !== undefined)
      problems.push(`${at}: has the same type and nativeId (${event.nativeId}) as event ${before}`);
    identities.set(identity, i);
  });
  return problems;
}

/** `session.started` first and once; results between their call's message and the next one; branches last. */
export function inOrder(events: readonly SessionEvent[]): string[] {
  const problems: string[] = [];
  if (events[0]?.type !== "session.started")
    problems.push(`begins with ${events[0]?.type ?? "nothing"}, not with session.started`);
  const starts = events.filter(({ type }) => type === "session.started").length;
  if (starts > 1) problems.push(`starts ${starts} times`);

  let branched = false;
  const messageOf = new Map<string, number>(); // call id → its message's place among messages
  const messagesOn = new Map<string | undefined, number>(); // branch → messages so far
  const branches = new Set<string>();
  events.forEach((event, i) => {
    if (event.branch !== undefined) {
      branched = true;
      if (!branches.has(event.branch) && event.branchFrom === undefined && i > 0) branches.add(event.branch);
    } else if (branched)
      problems.push(`event ${i} (${event.type}): of the active branch, after one of a branch that was left`);

    if (event.type === "message.completed") {
      const place = (messagesOn.get(event.branch) ?? 0) + 1;
      messagesOn.set(event.branch, place);
      for (const block of event.payload.blocks)
        if (block.type === "tool-call") messageOf.set(block.toolCallId, place);
    } else if (event.type === "tool.completed") {
      const place = messageOf.get(event.payload.toolCallId);
      const now = messagesOn.get(event.branch) ?? 0;
      if (place !== undefined && place !== now)
        problems.push(
          `event ${i}: the result of ${event.payload.toolCallId} comes ${now - place} message(s) after its call's`,
        );
    }
  });
  return problems;
}

/** Every ordinal in an origin, every origin inside its file, every byte of the session's own files in an origin. */
export function accounted(
  { events, ledger }: Reading,
  evidence: readonly EvidenceFile[],
  files: Files,
): string[] {
  const problems: string[] = [];
  const named = new Set<number>();
  const ranges = evidence.map((): [number, number][] => []);
  events.forEach((event, i) => {
    for (const { record, file, offset, length } of event.origin) {
      named.add(record);
      if (record >= ledger.records)
        problems.push(`event ${i} (${event.type}): record ${record} was never counted`);
      const range = ranges[file];
      if (range) range.push([offset, offset + length]);
      else problems.push(`event ${i} (${event.type}): file ${file} is none of the session's`);
    }
  });
  for (let record = 0; record < ledger.records; record++)
    if (!named.has(record)) problems.push(`record ${record} was counted but is in no event's origin`);

  evidence.forEach(({ path, role, encoding }, file) => {
    const bytes = files.get(path);
    if (!bytes || role === "ancestor" || encoding) return; // offsets into what is compressed mean the text inside
    if (role === "companion") {
      if (ranges[file]?.length === 0)
        problems.push(`${path}: belongs to the session, but no event comes of it`);
      return;
    }
    const gap = firstGap(bytes, ranges[file] ?? []);
    if (gap)
      problems.push(`${path}: bytes ${gap[0]}–${gap[1]} are in no event's origin: ${excerpt(bytes, gap)}`);
  });
  return problems;
}

/** The first stretch that is neither in a range nor blank; the BOM counts as blank. */
function firstGap(bytes: Uint8Array, ranges: [number, number][]): [number, number] | undefined {
  const buffer = Buffer.from(bytes);
  let at = buffer.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  for (const [from, to] of [...ranges.sort((a, b) => a[0] - b[0]), [bytes.length, bytes.length] as const]) {
    if (from > at && buffer.toString("latin1", at, from).trim() !== "") return [at, from];
    if (to > at) at = to;
    if (to > bytes.length) return [bytes.length, to];
  }
  return undefined;
}

function excerpt(bytes: Uint8Array, [from, to]: [number, number]): string {
  return JSON.stringify(Buffer.from(bytes.subarray(from, Math.min(to, from + 80))).toString("utf8"));
}
