/** The built-in converters with their captured stores, for every test that crosses packages. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import claude from "@asp-convert/claude";
import codex from "@asp-convert/codex";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import type { Converter } from "@asp-convert/core";
import pi from "@asp-convert/pi";

export const fixturesRoot = join(import.meta.dirname, "../fixtures");

export interface Harness {
  converter: Converter;
  /** The store inside a fixture's folder. */
  store: string;
  /** Ids that the writer makes anew for each copy, besides UUIDs and sha256 sums. */
  ids: readonly RegExp[];
}

export const harnesses = {
  claude: { converter: claude, store: "config", ids: [/msg_[0-9a-f]{22}/, /\ba[0-9a-f]{16}\b/] },
  codex: { converter: codex, store: "codex-home", ids: [] },
  pi: { converter: pi, store: "home/.pi/agent", ids: [/\b[0-9a-f]{8}\b/] },
} as const satisfies Record<string, Harness>;

export type HarnessId = keyof typeof harnesses;

/** Names of a harness's captured stores. */
export function fixtureNames(harness: HarnessId): string[] {
  return readdirSync(join(fixturesRoot, harness)).sort();
}

export function captured(harness: HarnessId, name: string): Promise<Fixture> {
  return loadFixture(join(fixturesRoot, harness, name, harnesses[harness].store), name);
}

export function capturedAll(harness: HarnessId): Promise<Fixture[]> {
  return Promise.all(fixtureNames(harness).map((name) => captured(harness, name)));
}
