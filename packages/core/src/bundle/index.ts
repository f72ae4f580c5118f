/**
 * The portable bundle, as a converter: `export` writes it, `import` reads it. Its sessions stay sessions of the
 * harness they came from; back there they are replayed from their own bytes.
 *
 *     NAME.asp/manifest.json                  what is in it, each with its hash
 *     NAME.asp/sessions/<id>/events.ndjson    the sealed log (L1): one envelope a line
 *     NAME.asp/blobs/<sha256>                 the native files (L0), verbatim
 *     NAME.asp/AGENTS.md                      instructions
 *     NAME.asp/skills/, definitions/          skills; commands, subagents, output styles; skills.json lists them
 *     NAME.asp/tools.json, settings.json      MCP servers and hooks; options and permissions
 *     NAME.asp/memory/                        notes
 *     NAME.asp/projects/<name>/               the same of single projects
 */
import { type Candidate, defineConverter, type SessionRef, type Target } from "../converter/contract.js";
import { lazyCall, lazyEach, lazyKind } from "../converter/lazy.js";
import type { FidelityTable } from "../fidelity/axes.js";
import { sessionAxes } from "../fidelity/axes.js";
import type { Source } from "../io/source.js";
import { BundleError, FORMAT, MANIFEST } from "./layout.js";
import { bundleStateFidelity } from "./state/fidelity.js";

const everything = Object.fromEntries(
  Object.keys(sessionAxes).map((axis) => [axis, "preserved"]),
) as FidelityTable;

const folder = lazyEach(async () => (await import("./read.js")).readBundle);

export const bundle = defineConverter({
  id: "bundle",
  name: "Portable bundle",
  container: true,
  verified: [],
  probe,
  locate: () => [],
  async open(path, source) {
    const root = await rootOf(path, source);
    const focus = /[/\\]sessions[/\\]([0-9a-f]{64})/.exec(path.slice(root.length))?.[1];
    return { harness: "bundle", root, ...(focus !== undefined && { focus }) };
  },
  sessions: {
    async *list(store, { source }) {
      yield* (await import("./read.js")).listBundle(store, source);
    },
    read: folder,
    write: lazyCall(async () => (await import("./write.js")).writeBundle),
    async replay(ref: SessionRef, _files: Source, _target: Target) {
      throw new BundleError(ref.path, "sessions of a bundle are of the harness they came from");
    },
    async view(store, source) {
      const [{ bundleView }, { manifestOf }] = await Promise.all([import("./view.js"), import("./read.js")]);
      return bundleView(store.root, await manifestOf(store, source), source);
    },
    fidelity: { read: everything, write: everything },
    resume: { needs: [], command: () => [], variable: "" },
    carrier: "manifest.json: nobody sends it anywhere",
  },
  instructions: lazyKind(
    bundleStateFidelity,
    async () => (await import("./state/instructions.js")).instructions,
  ),
  skills: lazyKind(bundleStateFidelity, async () => (await import("./state/skills.js")).skills),
  tools: lazyKind(bundleStateFidelity, async () => (await import("./state/tools.js")).tools),
  memory: lazyKind(bundleStateFidelity, async () => (await import("./state/memory.js")).memory),
  settings: lazyKind(bundleStateFidelity, async () => (await import("./state/settings.js")).settings),
});

/** What stands in a bundle of other kinds than sessions. */
const OTHER_KINDS = new Set([
  "AGENTS.md",
  "skills",
  "definitions",
  "tools.json",
  "settings.json",
  "memory",
  "projects",
]);
/** Enough of a manifest to see its first line. */
const HEAD = 256;

async function probe({ path, kind, head, entries, source }: Candidate): Promise<number> {
  if (kind === "file") return marked(head, FORMAT) ? 100 : 0;
  if (entries.includes(MANIFEST)) {
    const file = await source.open(`${path}/${MANIFEST}`);
    try {
      if (marked(file.read(0, HEAD), FORMAT)) return 100;
      // Its manifest is spoilt: opening it says how.
      return entries.includes("blobs") && entries.includes("sessions") ? 60 : 0;
    } finally {
      file.close();
    }
  }
  if (namedSo(path) && entries.some((name) => OTHER_KINDS.has(name))) return 60;
  return /[/\\]sessions[/\\][0-9a-f]{64}[/\\]*$/.test(path) && entries.includes("events.ndjson") ? 90 : 0;
}

function marked(head: Uint8Array, format: string): boolean {
  const text = Buffer.from(head.subarray(0, HEAD)).toString("utf8");
  return /^\s*\{/.test(text) && new RegExp(`"format"\\s*:\\s*"${format}"`).test(text);
}

/** A bundle of other kinds than sessions has no manifest: it is known by its name alone. */
function namedSo(path: string): boolean {
  return /\.asp[/\\]*$/i.test(path);
}

/** The nearest folder, from the path upwards, with a manifest in it. */
async function rootOf(path: string, source: Source): Promise<string> {
  for (let at = path.replace(/[/\\]+$/, ""), depth = 0; at !== "" && depth < 4; depth++) {
    if ((await source.stat(`${at}/${MANIFEST}`))?.kind === "file") return at;
    at = at.replace(/[/\\]?[^/\\]*$/, "");
  }
  if (namedSo(path) && (await source.stat(path))?.kind === "directory") return path.replace(/[/\\]+$/, "");
  throw new BundleError(path, `is no bundle: there is no ${MANIFEST} in it`);
}
