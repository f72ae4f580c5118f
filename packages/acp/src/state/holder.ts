/** What an agent of a store answers: its state, and its sessions for whoever only reads. */

import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { LossLedger, type SessionRef, stateKinds } from "@asp-convert/core";
import { type StateKind, stateKindNames } from "../forms/capabilities.js";
import type { ExportAnswer, ImportAnswer } from "../forms/methods.js";
import { aspMethods } from "../methods.js";
import { codes, RpcError } from "../rpc/errors.js";
import { fragments, replay } from "./export.js";
import { type HeldStore, kindsOf, readKind, sessionsOf } from "./held.js";
import { Pager } from "./pager.js";
import { Staging } from "./staging.js";

export class Holder {
  readonly held: HeldStore;
  readonly #pager = new Pager();
  readonly #staging: Staging;
  /** Imports one after the other: they write to one store. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(held: HeldStore) {
    this.held = held;
    this.#staging = new Staging(held.source);
  }

  get capabilities(): { export: StateKind[]; import: StateKind[] } {
    const kinds = kindsOf(this.held);
    return { export: kinds, import: this.held.readOnly ? [] : kinds };
  }

  /** @param method one of `aspMethods`. @throws RpcError for params that are not of its form. */
  async answer(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    switch (method) {
      case aspMethods.describe:
        return { kinds: await this.describe(signal) };
      case aspMethods.export:
        return this.#export(params);
      case aspMethods.import:
        return this.#inTurn(() => this.#import(params, signal));
      default:
        throw new RpcError(codes.methodNotFound, `there is no method ${method}`);
    }
  }

  /** How many of each kind there are; but for sessions, a kind of which there is none is left out. */
  async describe(signal: AbortSignal): Promise<Partial<Record<StateKind, number>>> {
    const counts: Partial<Record<StateKind, number>> = {
      sessions: (await sessionsOf(this.held, signal)).length,
    };
    for (const kind of stateKinds) {
      const count = await this.#count(kind);
      if (count > 0) counts[kind] = count;
    }
    return counts;
  }

  async #count(kind: (typeof stateKinds)[number]): Promise<number> {
    switch (kind) {
      case "instructions":
        return (await readKind(this.held, kind)).state?.files.length ?? 0;
      case "skills": {
        const { state } = await readKind(this.held, kind);
        return (state?.skills.length ?? 0) + (state?.definitions.length ?? 0);
      }
      case "tools": {
        const { state } = await readKind(this.held, kind);
        return (state?.servers.length ?? 0) + (state?.hooks.length ?? 0);
      }
      case "memory":
        return (await readKind(this.held, kind)).state?.notes.length ?? 0;
      case "settings":
        return (await readKind(this.held, kind)).state?.options.length ?? 0;
    }
  }

  async #export(params: unknown): Promise<ExportAnswer> {
    const { ExportParams } = await import("../forms/methods.js");
    const { kinds, _meta } = checked(ExportParams, params);
    const { sessions, cursor } = _meta?.asp ?? {};
    if (cursor !== undefined) return this.#pager.next(cursor);
    const known = stateKindNames.filter((kind) => kinds.includes(kind));
    const request = { kinds: known, ...(sessions && { sessions }) };
    return this.#pager.first((signal) => fragments(this.held, request, signal));
  }

  async #import(params: unknown, signal: AbortSignal): Promise<ImportAnswer> {
    const [{ ImportParams }, { importState }] = await Promise.all([
      import("../forms/methods.js"),
      import("./import.js"),
    ]);
    const { state } = checked(ImportParams, params);
    try {
      return await importState(this.held, state, this.#staging, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new RpcError(codes.invalidParams, error instanceof Error ? error.message : String(error));
    }
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#last.then(task, task);
    this.#last = next.catch(() => {});
    return next;
  }

  sessions(signal: AbortSignal): Promise<SessionRef[]> {
    return sessionsOf(this.held, signal);
  }

  /** undefined: the store has no such session. */
  async session(id: string, signal: AbortSignal): Promise<SessionRef | undefined> {
    return (await this.sessions(signal)).find((ref) => ref.id === id);
  }

  async *updates(ref: SessionRef, compaction: boolean, signal: AbortSignal): AsyncGenerator<SessionUpdate> {
    const ledger = new LossLedger(ref.id);
    for await (const { update } of replay(this.held, ref, ledger, signal, compaction)) yield update;
  }

  async close(): Promise<void> {
    await this.#pager.close();
    await this.#last;
    this.#staging.clear();
  }
}

interface Form<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/** Params of a form, as they came: keys that it does not name are still there. */
export function checked<T>(form: Form<T>, params: unknown): T {
  const parsed = form.safeParse(params);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join(".")}: ${message}`);
  throw new RpcError(codes.invalidParams, `the params are not as they must be: ${issues[0] ?? ""}`, {
    issues,
  });
}
