/** A store on the disk of this machine, for tests of what works on one. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SOURCE_ROOT, sampleFixture } from "@asp-convert/conformance/toolbox";
import { afterEach, beforeEach } from "vitest";
import type { Environment } from "../src/io/paths.js";
import type { Action } from "../src/pipeline/plan.js";

export interface Base {
  /** Absolute, by no link. */
  readonly base: string;
  /** Of a person whose home it is; our own state is in `state`. */
  readonly environment: Environment;
}

/** A new folder for each test of the file, gone after it. */
export function freshFolder(): Base {
  const at = { base: "", environment: environmentOf("") };
  beforeEach(() => {
    at.base = realpathSync(mkdtempSync(join(tmpdir(), "asp-test-")));
    at.environment = environmentOf(at.base);
  });
  afterEach(() => rmSync(at.base, { recursive: true, force: true }));
  return at;
}

function environmentOf(base: string): Environment {
  return { env: { ASP_HOME: join(base, "state") }, home: base, platform: process.platform, cwd: base };
}

/** The sample's captured store. */
export function writeSample(store: string): void {
  for (const [path, bytes] of sampleFixture().files) {
    const to = join(store, path.slice(SOURCE_ROOT.length));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bytes);
  }
}

/** Every file, folder and link under a folder with what is in it: what a person could see. */
export function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (at: string, name: string): void => {
    const info = lstatSync(at, { throwIfNoEntry: false });
    if (!info) return;
    if (info.isSymbolicLink()) found[name] = `-> ${readlinkSync(at)}`;
    else if (info.isFile()) found[name] = `${(info.mode & 0o777).toString(8)} ${readFileSync(at, "latin1")}`;
    else {
      found[`${name}/`] = "";
      for (const entry of readdirSync(at)) walk(join(at, entry), `${name}/${entry}`);
    }
  };
  walk(folder, "");
  return found;
}

/** A store that exists, with something to edit and something to append to. */
export function populate(root: string): void {
  mkdirSync(root);
  writeFileSync(join(root, "config.toml"), "# mine\nmodel = 'x'\n", { mode: 0o640 });
  writeFileSync(join(root, "index.jsonl"), '{"id":"old"}\n', { mode: 0o600 });
  mkdirSync(join(root, "keep"));
}

/** One of each: new files (one in new folders, one a stream), a link, edits (one of a new file), appends (one new). */
export function plan(root: string): Action[] {
  return [
    {
      do: "create",
      path: join(root, "sessions/2026/11/a.jsonl"),
      content: async function* () {
        yield '{"n":1}\n';
        yield new Uint8Array([0x7b, 0x7d, 0x0a]);
      },
      mtimeMs: () => Date.UTC(2026, 10, 3),
    },
    { do: "create", path: join(root, "keep/b.sh"), content: "#!/bin/sh\n", mode: 0o755 },
    { do: "link", path: join(root, "latest"), to: "sessions/2026" },
    {
      do: "edit",
      path: join(root, "config.toml"),
      edit: (before = "") => (before.includes("demo") ? before : `${before}[mcp_servers.demo]\n`),
      what: "[mcp_servers.demo] in config.toml",
    },
    { do: "edit", path: join(root, "fresh/new.toml"), edit: (before) => before ?? "new\n", what: "new.toml" },
    { do: "append", path: join(root, "index.jsonl"), lines: () => '{"id":"old"}\n{"id":"new"}\n' },
    { do: "append", path: join(root, "fresh/log.jsonl"), lines: () => '{"first":true}\n' },
  ];
}
