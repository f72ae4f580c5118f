/** What a batch is given: paths, patterns, or a list on standard input; opened and listed. */
import { createInterface } from "node:readline";
import type { Converter, SessionRef, Store, Unreadable } from "@asp-convert/core";
import { type Failure, failureOf, UsageError } from "../errors.js";
import { expandGlobs } from "../globs.js";
import type { Terminal } from "../terminal.js";
import { openAll, pathOfStore, sessionsOf } from "../toolkit.js";

export interface Input {
  harness: string;
  /** With `harness` it opens as `store` again, also in another thread. */
  path: string;
  converter: Converter;
  store: Store;
}

export interface Inputs {
  inputs: Input[];
  /** Paths that are no store, with the reason. */
  failed: { path: string; failure: Failure }[];
}

/** @param paths `-`: one path a line on standard input */
export async function openInputs(
  paths: readonly string[],
  from: string | undefined,
  terminal: Terminal,
): Promise<Inputs> {
  const inputs: Input[] = [];
  const failed: Inputs["failed"] = [];
  const given = [...new Set(await expandGlobs(await withPiped(paths), terminal))];
  for (const path of given) {
    terminal.signal.throwIfAborted();
    try {
      for (const { converter, store } of await openAll(path, from, terminal))
        inputs.push({
          harness: converter.id,
          path: pathOfStore(store),
          converter,
          store,
        });
    } catch (error) {
      // A mistake in the command is no bad file.
      if (error instanceof UsageError) throw error;
      failed.push({ path, failure: failureOf(error) });
    }
  }
  return { inputs, failed };
}

async function withPiped(paths: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const path of paths) {
    if (path !== "-") {
      all.push(path);
      continue;
    }
    if (process.stdin.isTTY)
      throw new UsageError("`-` means a list of paths on standard input, and nothing is piped into it");
    for await (const line of createInterface({ input: process.stdin }))
      if (line.trim() !== "") all.push(line);
  }
  return all;
}

export interface Listed {
  units: { ref: SessionRef; input: number }[];
  unreadable: (Unreadable & { harness: string })[];
}

/** Every session of every input, each once: a store and a file of it may both be given. */
export async function listInputs(inputs: readonly Input[], terminal: Terminal): Promise<Listed> {
  const units = new Map<string, Listed["units"][number]>();
  const unreadable = new Map<string, Listed["unreadable"][number]>();
  for (const [input, { harness, converter, store }] of inputs.entries()) {
    try {
      const found = await sessionsOf(converter, store, terminal);
      for (const ref of found.refs) {
        const place = `${ref.harness}\n${ref.id}\n${ref.path}`;
        if (!units.has(place)) units.set(place, { ref, input });
      }
      for (const each of found.unreadable) unreadable.set(each.path, { harness, ...each });
    } catch (error) {
      terminal.signal.throwIfAborted();
      const { message, path = store.root } = failureOf(error);
      unreadable.set(path, { harness, path, reason: message });
    }
  }
  return { units: [...units.values()], unreadable: [...unreadable.values()] };
}
