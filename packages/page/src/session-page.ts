/** A session as one page, written while it is read: the page is never whole in memory. */
import { type Origin, reasons, type SessionEvent, type SessionRef } from "@asp-convert/core";
import type { Assets } from "./assets.js";
import { isSeen, itemOf, outcomeOf, sideOf } from "./items.js";
import { type Mark, NOWHERE, type SeenLosses } from "./losses.js";
import type { Branch, Facts, Item, Part } from "./shapes.js";
import { closing, opening } from "./shell.js";
import { type Cuts, escapeHtml, inertJson } from "./text.js";

export interface SessionPage {
  ref: SessionRef;
  /** As people write it. */
  harness: string;
  assets: Assets;
  events: (ref: SessionRef) => AsyncIterable<SessionEvent>;
  /** What a conversion loses: to which program, and what of each record. */
  loss?: {
    to: string;
    seen: SeenLosses;
    native: (ref: SessionRef, origin: Origin) => Promise<string | undefined>;
  };
  /** Secrets are markers. */
  shared: boolean;
}

/** UTF-16 units of JSON and number of items after which a new chunk begins. */
const CHUNK = 48_000;
const CHUNK_ITEMS = 40;

export async function* sessionPage(page: SessionPage): AsyncGenerator<string> {
  const { ref, assets, loss } = page;
  const every = flat(ref, 0);
  const title = ref.title ?? `Session ${ref.id}`;
  const cuts: Cuts = { texts: 0, characters: 0, pictures: 0 };
  const sums = loss?.seen.sums() ?? [];
  const losses = (loss?.seen.kinds ?? []).map(({ axis, level, reason }, index) => ({
    axis,
    level,
    why: reasons[reason],
    count: sums[index] ?? 0,
  }));
  const sessions = every.map(
    ({ ref: { id, title = `Session ${id}` }, depth }): Branch => ({ id, title, depth }),
  );
  yield opening(title, "session", assets);
  yield headOf(page, title);
  yield json("facts", { sessions, losses } satisfies Facts, cuts);
  let items = 0;
  for (const [index, { ref: each }] of every.entries()) {
    for await (const chunk of chunksOf(each, page, cuts)) {
      items += chunk.items.length;
      yield chunkElement(index, chunk, cuts);
    }
  }
  yield json("end", { items, cuts }, cuts);
  yield closing(assets);
}

function flat(ref: SessionRef, depth: number): { ref: SessionRef; depth: number }[] {
  return [{ ref, depth }, ...ref.children.flatMap((child) => flat(child, depth + 1))];
}

function headOf({ ref, harness, loss, shared }: SessionPage, title: string): string {
  const facts = [harness, ref.cwd, ref.git?.branch, ref.model, ref.updatedAt?.slice(0, 16).replace("T", " ")];
  const line = facts.flatMap((fact) => (fact ? [`<span>${escapeHtml(fact)}</span>`] : [])).join("");
  const to = loss
    ? `<p class="route">${escapeHtml(harness)} <b aria-label="to">→</b> ${escapeHtml(loss.to)}</p>`
    : "";
  const hidden = shared ? '<p class="said">Shared: what looked like a secret is a marker.</p>' : "";
  return `<header class="top"><div class="what">${to}<h1>${escapeHtml(title)}</h1><p class="facts">${line}</p>${hidden}</div></header>
<noscript><p class="said">The conversation is in this file; its own script shows it. Nothing is loaded from anywhere.</p></noscript>
<div class="frame"><aside id="side" aria-label="Overview"></aside><main id="talk" aria-label="Conversation"></main></div>
`;
}

interface Chunk {
  items: Item[];
  branch: string | undefined;
}

async function* chunksOf(ref: SessionRef, page: SessionPage, cuts: Cuts): AsyncGenerator<Chunk> {
  let chunk: Chunk = { items: [], branch: undefined };
  let size = 0;
  for await (const { item, branch, weight } of itemsOf(ref, page, cuts)) {
    const isFull = size > CHUNK || chunk.items.length >= CHUNK_ITEMS;
    if (chunk.items.length > 0 && (isFull || branch !== chunk.branch)) {
      yield chunk;
      chunk = { items: [], branch };
      size = 0;
    }
    chunk.branch = branch;
    chunk.items.push(item);
    size += weight;
  }
  if (chunk.items.length > 0) yield chunk;
}

interface Placed {
  item: Item;
  branch: string | undefined;
  /** Bytes of the records it was made of: about what it takes. */
  weight: number;
}

/** Held until the next message: results join the call they are of. */
async function* itemsOf(ref: SessionRef, page: SessionPage, cuts: Cuts): AsyncGenerator<Placed> {
  let held: Placed | undefined;
  const calls = new Map<string, Extract<Part, { part: "call" }>>();
  for await (const event of withoutEchoes(page.events(ref))) {
    const weight = event.origin.reduce((sum, { length }) => sum + length, 0);
    const lost = await lossOf(ref, event, page);
    const call = event.type === "tool.completed" ? calls.get(event.payload.toolCallId) : undefined;
    if (held && call && event.type === "tool.completed" && call.result === undefined) {
      call.result = outcomeOf(event, cuts);
      held.weight += weight;
      if (lost.marks) held.item.marks = [...(held.item.marks ?? []), ...lost.marks];
      if (lost.native !== undefined)
        held.item.native =
          held.item.native === undefined ? lost.native : `${held.item.native}\n\n${lost.native}`;
      continue;
    }
    const item = itemOf(event, cuts) ?? (lost.marks && sideOf(event));
    if (!item || (item.parts.length === 0 && !lost.marks)) continue;
    if (held) yield held;
    held = { item: { ...item, ...lost }, branch: event.branch, weight };
    if (event.type !== "message.completed") continue;
    calls.clear();
    for (const part of item.parts) if (part.part === "call") calls.set(part.id, part);
  }
  if (held) yield held;
  for (const [record, marks] of page.loss?.seen.rest(ref.id) ?? []) {
    const who = record === NOWHERE ? "the session as a whole" : `record ${record + 1}`;
    yield { item: { as: "rest", who, parts: [], marks }, branch: held?.branch, weight: 0 };
  }
}

/** Of one record's events those that a person sees come to bear its losses, not what merely begins with them. */
async function* withoutEchoes(events: AsyncIterable<SessionEvent>): AsyncGenerator<SessionEvent> {
  let held: SessionEvent | undefined;
  for await (const event of events) {
    const records = new Set(event.origin.map(({ record }) => record));
    if (held && !held.origin.some(({ record }) => records.has(record))) yield held;
    held = undefined;
    if (isSeen(event)) yield event;
    else held = event;
  }
  if (held) yield held;
}

async function lossOf(
  ref: SessionRef,
  event: SessionEvent,
  { loss }: SessionPage,
): Promise<{ marks?: Mark[]; native?: string }> {
  if (!loss) return {};
  const marks: Mark[] = [];
  const texts: string[] = [];
  for (const origin of event.origin) {
    const taken = loss.seen.take(ref.id, origin.record);
    if (taken.length === 0) continue;
    marks.push(...taken);
    const text = await loss.native(ref, origin);
    if (text !== undefined) texts.push(text);
  }
  if (marks.length === 0) return {};
  return { marks, ...(texts.length > 0 && { native: texts.join("\n\n") }) };
}

function chunkElement(session: number, { items, branch }: Chunk, cuts: Cuts): string {
  const times = items.flatMap(({ time }) => (time === undefined ? [] : [time]));
  const lost = items.filter(({ marks }) => marks !== undefined).length;
  const compactions = items.filter(({ as }) => as === "compaction").length;
  const attributes = [
    `data-session="${session}"`,
    `data-items="${items.length}"`,
    ...(branch === undefined ? [] : [`data-branch="${escapeHtml(branch)}"`]),
    ...(times[0] === undefined ? [] : [`data-time="${escapeHtml(times[0])}"`]),
    ...(lost > 0 ? [`data-lost="${lost}"`] : []),
    ...(compactions > 0 ? [`data-compactions="${compactions}"`] : []),
  ];
  return `<script type="application/json" class="chunk" ${attributes.join(" ")}>${inertJson(items, cuts)}</script>\n`;
}

function json(id: string, value: unknown, cuts: Cuts): string {
  return `<script type="application/json" id="${id}">${inertJson(value, cuts)}</script>\n`;
}
