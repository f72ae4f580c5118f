/** Reads sessions again from beginning to end and checks that every record is accounted for. */
import type { Account, Converter, SessionRef, Store } from "@asp-convert/core";
import { LossLedger } from "@asp-convert/core";
import type { Terminal } from "../terminal.js";
import { source } from "../toolkit.js";

export interface CheckedSession {
  id: string;
  title?: string;
  records?: Account;
  /** Why it does not hold. */
  problem?: string;
}

export async function checkSession(
  converter: Converter,
  store: Store,
  ref: SessionRef,
  terminal: Terminal,
): Promise<CheckedSession[]> {
  const checked = [await checkOne(converter, store, ref, terminal)];
  for (const child of ref.children) checked.push(...(await checkSession(converter, store, child, terminal)));
  return checked;
}

async function checkOne(
  converter: Converter,
  store: Store,
  ref: SessionRef,
  terminal: Terminal,
): Promise<CheckedSession> {
  const { environment, signal } = terminal;
  const about = { id: ref.id, ...(ref.title !== undefined && { title: ref.title }) };
  try {
    const files = (await converter.sessions.view?.(store, source)) ?? source;
    const ledger = new LossLedger(ref.id);
    for await (const event of converter.sessions.read(ref, { source: files, environment, ledger, signal }))
      ledger.mapped(event);
    return { ...about, records: ledger.settle() };
  } catch (error) {
    signal.throwIfAborted();
    return { ...about, problem: error instanceof Error ? error.message : String(error) };
  }
}
