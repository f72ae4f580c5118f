/**
 * Which leaves steer and which are content: a leaf is structural if changing it changes how the session is read
 * (other events, roles, pairs of call and result, losses). Found out by trying, sort by sort.
 */
import type { Converter, SessionEvent } from "@asp-convert/core";
import { readAll, sessionsIn, withChildren } from "../convert.js";
import { type Files, sourceOf } from "../files.js";
import type { Fixture } from "../kit.js";
import { type Marked, type Marking, mark, type Placement, placements } from "./mark.js";

/** What was found out on earlier fixtures of the same converter: mostly it holds on the next one too. */
const known = new WeakMap<Converter, Map<string, Placement | "structural">>();

export interface MarkedFixture {
  files: Files;
  marked: Marked[];
}

/**
 * Marks all leaves that can be marked without changing how the fixture is read.
 * @param sorts every sort of leaf that may be marked.
 */
export async function markContent(
  converter: Converter,
  fixture: Fixture,
  paths: readonly string[],
  sorts: Iterable<string>,
): Promise<MarkedFixture> {
  const memory = known.get(converter) ?? new Map<string, Placement | "structural">();
  known.set(converter, memory);
  const wanted = await readingOf(converter, fixture, fixture.files, paths);
  const holds = async (marking: Marking) => {
    const { files } = markAll(fixture.files, paths, marking);
    return (
      (await readingOf(converter, fixture, files, paths).catch((error: unknown) => String(error))) === wanted
    );
  };

  const marking = new Map<string, Placement>();
  for (const sort of sorts) {
    const before = memory.get(sort) ?? "end";
    if (before !== "structural") marking.set(sort, before);
  }
  if (!(await holds(marking))) {
    const candidates = [...marking.keys()];
    marking.clear();
    for (const sort of candidates) {
      let found: Placement | "structural" = "structural";
      for (const placement of placements) {
        marking.set(sort, placement);
        if (await holds(marking)) {
          found = placement;
          break;
        }
      }
      if (found === "structural") marking.delete(sort);
      memory.set(sort, found);
    }
  }
  return markAll(fixture.files, paths, marking);
}

function markAll(files: Files, paths: readonly string[], marking: Marking): MarkedFixture {
  const changed: Files = new Map(files);
  const marked: Marked[] = [];
  for (const path of paths) {
    const bytes = files.get(path);
    if (!bytes) continue;
    const made = mark(path, bytes, marking, marked.length);
    changed.set(path, made.bytes);
    marked.push(...made.marked);
  }
  return { files: changed, marked };
}

/** How a store is read, without what it says. */
async function readingOf(
  converter: Converter,
  fixture: Fixture,
  files: Files,
  paths: readonly string[],
): Promise<string> {
  const source = sourceOf(files);
  const refs = (await sessionsIn(converter, fixture.root, source)).flatMap(withChildren);
  const readings: unknown[] = [];
  for (const ref of refs.filter(({ path }) => paths.includes(path))) {
    const { events, ledger } = await readAll(converter, ref, source);
    const calls = new Map<string, number>();
    const losses = ledger.entries.map(({ axis, level, reason, records }) => [axis, level, reason, records]);
    readings.push([
      ref.path,
      ref.children.length,
      ledger.records,
      losses,
      events.map((event) => formOf(event, calls)),
    ]);
  }
  return JSON.stringify(readings);
}

/** An event's form: all that is not text. Calls are numbered as they come, results say the number. */
export function formOf(event: SessionEvent, calls: Map<string, number>): unknown {
  const common = [
    event.type,
    event.branch !== undefined,
    event.origin.map(({ record }) => record),
    event.timeInferred ?? false,
  ];
  switch (event.type) {
    case "message.completed": {
      const { role, blocks, kind, injected, audience, display } = event.payload;
      for (const block of blocks) if (block.type === "tool-call") calls.set(block.toolCallId, calls.size);
      return [
        ...common,
        role,
        kind,
        injected,
        audience,
        display === undefined,
        blocks.map(({ type }) => type),
      ];
    }
    case "tool.completed": {
      const { toolCallId, isError, synthetic, result } = event.payload;
      return [...common, calls.get(toolCallId), isError, synthetic, result.map(({ type }) => type)];
    }
    case "status.changed":
      return [...common, event.payload.status, event.payload.context?.map((kept) => formOf(kept, calls))];
    case "unknown.observed":
      return [...common, event.payload.axis, event.payload.nativeType];
    case "capabilities.changed":
      return [...common, Object.keys(event.payload.settings)];
    default:
      return common;
  }
}
