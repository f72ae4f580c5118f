/** A store held for the Agent State Protocol, and what travels between two of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HeldStore, Holder } from "@asp-convert/acp";
import { ExportAnswer, ImportAnswer } from "@asp-convert/acp/schema";
import {
  type Converter,
  diskSource,
  type Environment,
  LossLedger,
  type SessionEvent,
} from "@asp-convert/core";
import { afterAll, expect } from "vitest";

/** A folder of this test file, removed after it, and an environment in which nothing of this machine is. */
export function scene(): { base: string; newFolder: () => string; environment: Environment } {
  const base = mkdtempSync(join(tmpdir(), "asp-acp-"));
  afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  let folders = 0;
  const env = { ASP_HOME: join(base, "asp") };
  return {
    base,
    newFolder: () => join(base, `f${folders++}`),
    environment: { env, home: join(base, "home"), platform: process.platform, cwd: base },
  };
}

export const signal: AbortSignal = new AbortController().signal;

export function held(
  converter: Converter,
  root: string,
  environment: Environment,
  more: Partial<HeldStore> = {},
): HeldStore {
  const consents = { allowTools: false, includeSecrets: false, dropRestrictions: false };
  return {
    converter,
    root,
    environment,
    source: diskSource,
    projects: [],
    installed: false,
    ...consents,
    ...more,
  };
}

/** Every answer of an export, as it comes over the wire: checked against its form, and small enough for one message. */
export async function exported(
  holder: Holder,
  kinds: readonly string[],
  sessions?: string[],
): Promise<ExportAnswer[]> {
  const pages: ExportAnswer[] = [];
  let cursor: string | undefined;
  do {
    const asp = { ...(cursor !== undefined && { cursor }), ...(sessions && { sessions }) };
    const text = JSON.stringify(await holder.answer("_asp/state/export", { kinds, _meta: { asp } }, signal));
    expect(Buffer.byteLength(text)).toBeLessThan(32 * 1024 * 1024);
    const page = ExportAnswer.parse(JSON.parse(text));
    pages.push(page);
    cursor = page._meta?.asp?.next;
  } while (cursor !== undefined);
  return pages;
}

export async function imported(holder: Holder, pages: readonly ExportAnswer[]): Promise<ImportAnswer[]> {
  const answers: ImportAnswer[] = [];
  for (const { state } of pages)
    answers.push(ImportAnswer.parse(await holder.answer("_asp/state/import", { state }, signal)));
  return answers;
}

/** All that a store's sessions hold, by id, without the places in the native files. */
export async function eventsIn(of: HeldStore): Promise<Record<string, unknown[]>> {
  const { converter, source, environment } = of;
  const holder = new Holder(of);
  const store = await converter.open(of.root, source, environment);
  const files = (await converter.sessions.view?.(store, source)) ?? source;
  const found: Record<string, unknown[]> = {};
  const read = async (ref: Awaited<ReturnType<Holder["sessions"]>>[number]): Promise<void> => {
    const events: SessionEvent[] = [];
    const context = { source: files, environment, ledger: new LossLedger(ref.id) };
    for await (const event of converter.sessions.read(ref, context)) events.push(event);
    found[ref.id] = events.map(({ origin: _, ...event }) => event);
    for (const child of ref.children) await read(child);
  };
  for (const ref of await holder.sessions(signal)) await read(ref);
  return found;
}
