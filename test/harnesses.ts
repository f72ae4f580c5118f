/** The built-in converters with their captured stores, for every test that crosses packages. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import claude from "@asp-convert/claude";
import cline from "@asp-convert/cline";
import codex from "@asp-convert/codex";
import { type Fixture, loadFixture, unfolded } from "@asp-convert/conformance/toolbox";
import copilot from "@asp-convert/copilot";
import type { Converter } from "@asp-convert/core";
import droid from "@asp-convert/droid";
import gemini from "@asp-convert/gemini";
import kilo from "@asp-convert/kilo";
import kimi from "@asp-convert/kimi";
import opencode from "@asp-convert/opencode";
import pi from "@asp-convert/pi";
import qwen from "@asp-convert/qwen";

export const fixturesRoot = join(import.meta.dirname, "../fixtures");

export interface Harness {
  converter: Converter;
  /** The store inside a fixture's folder. */
  store: string;
  /** Ids that the writer makes anew for each copy, besides UUIDs and sha256 sums. */
  ids: readonly RegExp[];
}

/** The head of a session's id, in the names of files. */
const GEMINI_ID = /(?<=\d-)[0-9a-f]{8}(?=\.jsonl)/;
/** Ids of sessions, and what subagents' files are called by. */
const CLINE_ID = /(?<!\d)\d{13}_[0-9a-z]{5,6}(?![0-9a-z])/;
const OPENCODE_ID = /(?:ses|msg|prt)_[0-9a-f]{12}[0-9A-Za-z]{14}/;

export const harnesses = {
  claude: { converter: claude, store: "config", ids: [/msg_[0-9a-f]{22}/, /\ba[0-9a-f]{16}\b/] },
  codex: { converter: codex, store: "codex-home", ids: [] },
  pi: { converter: pi, store: "home/.pi/agent", ids: [/\b[0-9a-f]{8}\b/] },
  gemini: { converter: gemini, store: "home", ids: [GEMINI_ID] },
  qwen: { converter: qwen, store: "home/.qwen", ids: [] },
  kimi: { converter: kimi, store: "home/.kimi-code", ids: [] },
  opencode: { converter: opencode, store: "home/.local/share/opencode", ids: [OPENCODE_ID] },
  copilot: { converter: copilot, store: "home/.copilot", ids: [] },
  kilo: { converter: kilo, store: "home/.local/share/kilo", ids: [OPENCODE_ID] },
  droid: { converter: droid, store: "home", ids: [] },
  cline: { converter: cline, store: "home/.cline", ids: [CLINE_ID] },
} as const satisfies Record<string, Harness>;

export type HarnessId = keyof typeof harnesses;

/** Names of a harness's captured stores. */
export function fixtureNames(harness: HarnessId): string[] {
  return readdirSync(join(fixturesRoot, harness)).sort();
}

/** Of each harness, in every run of the tests. */
const FEW = 3;

/**
 * The captured stores that go over every route. Routes multiply, and what one store shows on all of them the next one
 * mostly shows again: the largest few hold most kinds of records. `ASP_ROUTES=all` (`npm run test:routes`): every one.
 */
export function routeCases(harness: HarnessId): string[] {
  const names = fixtureNames(harness);
  if (process.env.ASP_ROUTES === "all") return names;
  const sizes = new Map(names.map((name) => [name, sizeOf(join(fixturesRoot, harness, name))]));
  const largest = [...names].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0)).slice(0, FEW);
  return largest.sort();
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

export async function captured(harness: HarnessId, name: string): Promise<Fixture> {
  const { converter, store } = harnesses[harness];
  const fixture = await loadFixture(join(fixturesRoot, harness, name, store), name);
  return unfolded(converter, fixture);
}

export function capturedAll(harness: HarnessId): Promise<Fixture[]> {
  return Promise.all(fixtureNames(harness).map((name) => captured(harness, name)));
}
