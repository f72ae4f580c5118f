/** The portable shapes in other languages: as their schemas are now, and real documents go through them unchanged. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sdks, sdkText } from "../scripts/sdk.js";
import { program, root } from "./cli/run.js";

interface Document {
  shape: string;
  value: unknown;
}

let folder = "";
const documents: Document[] = [];
const file = (name: string) => join(folder, name);

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asp-sdk-"));
  const env = { ...process.env, HOME: folder, ASP_HOME: file("asp") };
  const asp = (...args: string[]): string =>
    execFileSync(process.execPath, [program, ...args], { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
  for (const store of ["claude/tools/config", "claude/compacted/config", "codex/tools/codex-home"]) {
    const path = join(root, "fixtures", store);
    const to = store.startsWith("claude") ? "codex" : "claude";
    documents.push({ shape: "report", value: JSON.parse(asp(path, "--to", to, "--json")) });
    documents.push({ shape: "comparison", value: JSON.parse(asp("compare", path, "--to", to, "--json")) });
    const bundle = file(`${store.replaceAll("/", "-")}.asp`);
    asp("export", path, "--out", bundle, "--json");
    documents.push({ shape: "bundle-manifest", value: read(join(bundle, "manifest.json")) });
    for (const session of readdirSync(join(bundle, "sessions")))
      for (const line of readFileSync(join(bundle, "sessions", session, "events.ndjson"), "utf8")
        .trim()
        .split("\n"))
        documents.push({ shape: "envelope", value: JSON.parse(line) });
  }
  writeFileSync(file("documents.json"), JSON.stringify(documents));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Why a language cannot be tried here; undefined: it can. */
const absent = (command: string, ...args: string[]): string | undefined =>
  spawnSync(command, args).status === 0 ? undefined : `not tried: no ${command} on this machine`;
const named = (what: string, why: string | undefined) => (why === undefined ? what : `${what} (${why})`);

/** Every key that a schema names. */
const names = new Set<string>();
for (const schema of readdirSync(join(root, "schema"))) gather(read(join(root, "schema", schema)));
function gather(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "properties") for (const name of Object.keys(inner as object)) names.add(name);
    gather(inner);
  }
}

/**
 * What is no longer as it was. Keys that no schema names are the reader's to keep or not, and these do not; where one
 * may hold anything, Go says null for nothing.
 */
function changed(before: unknown, after: unknown, at = ""): string[] {
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null)
    return before === after ? [] : [`${at}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
  const [one, two] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(one), ...Object.keys(two)])].flatMap((key) => {
    if (!Object.hasOwn(two, key)) return names.has(key) ? [`${at}.${key} is gone`] : [];
    if (!Object.hasOwn(one, key)) return two[key] === null ? [] : [`${at}.${key} is new`];
    return changed(one[key], two[key], `${at}.${key}`);
  });
}

test("there is something of each", () => {
  expect(new Set(documents.map(({ shape }) => shape)).size).toBe(4);
  expect(documents.length).toBeGreaterThan(100);
});

test.each(sdks)("$path is what the schemas make (`npm run sdk` writes it anew)", async (made) => {
  expect(await sdkText(made)).toBe(readFileSync(join(root, made.path), "utf8"));
});

describe("real documents", () => {
  test("are what the TypeScript types say", { timeout: 60_000 }, () => {
    const types = {
      report: "Report",
      comparison: "Comparison",
      "bundle-manifest": "BundleManifest",
      envelope: "Envelope",
    };
    cpSync(join(root, "sdk/typescript/asp.ts"), file("asp.ts"));
    const lines = documents.map(
      ({ shape, value }, at) =>
        `export const d${at}: ${types[shape as keyof typeof types]} = ${JSON.stringify(value)};`,
    );
    const imports = `import type { ${Object.values(types).join(", ")} } from "./asp.js";`;
    writeFileSync(file("documents.ts"), [imports, ...lines].join("\n"));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const args = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", file("documents.ts")];
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...args], { cwd: folder, encoding: "utf8" });
    expect({ status, stdout: stdout.slice(0, 2000) }).toEqual({ status: 0, stdout: "" });
  });

  const noPython = absent("python3", "--version");
  test.skipIf(noPython)(
    named("go through the Python classes as they are", noPython),
    { timeout: 60_000 },
    () => {
      writeFileSync(
        file("through.py"),
        `import json, sys
sys.path.insert(0, ${JSON.stringify(join(root, "sdk/python"))})
sys.dont_write_bytecode = True
import asp
done = []
for document in json.load(open("documents.json", encoding="utf-8")):
    name = document["shape"].replace("-", "_")
    value = getattr(asp, name + "_from_dict")(document["value"])
    done.append(getattr(asp, name + "_to_dict")(value))
json.dump(done, sys.stdout)
`,
      );
      const out = execFileSync("python3", ["through.py"], {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      expect(
        changed(
          documents.map(({ value }) => value),
          JSON.parse(out),
        ),
      ).toEqual([]);
    },
  );

  const noGo = absent("go", "version");
  test.skipIf(noGo)(named("go through the Go structs as they are", noGo), { timeout: 240_000 }, () => {
    mkdirSync(file("go/asp"), { recursive: true });
    cpSync(join(root, "sdk/go"), file("go/asp"), { recursive: true });
    writeFileSync(
      file("go/go.mod"),
      "module through\n\ngo 1.19\n\nrequire asp-convert/asp v0.0.0\n\nreplace asp-convert/asp => ./asp\n",
    );
    writeFileSync(
      file("go/main.go"),
      `package main

import (
	"asp-convert/asp"
	"encoding/json"
	"fmt"
	"os"
)

type document struct {
	Shape string          \`json:"shape"\`
	Value json.RawMessage \`json:"value"\`
}

func through(d document) ([]byte, error) {
	switch d.Shape {
	case "report":
		v, err := asp.UnmarshalReport(d.Value)
		if err != nil {
			return nil, err
		}
		return v.Marshal()
	case "comparison":
		v, err := asp.UnmarshalComparison(d.Value)
		if err != nil {
			return nil, err
		}
		return v.Marshal()
	case "bundle-manifest":
		v, err := asp.UnmarshalBundleManifest(d.Value)
		if err != nil {
			return nil, err
		}
		return v.Marshal()
	default:
		v, err := asp.UnmarshalEnvelope(d.Value)
		if err != nil {
			return nil, err
		}
		return v.Marshal()
	}
}

func main() {
	bytes, _ := os.ReadFile("../documents.json")
	var documents []document
	if err := json.Unmarshal(bytes, &documents); err != nil {
		panic(err)
	}
	done := []json.RawMessage{}
	for i, d := range documents {
		out, err := through(d)
		if err != nil {
			panic(fmt.Sprintf("%d %s: %v", i, d.Shape, err))
		}
		done = append(done, out)
	}
	json.NewEncoder(os.Stdout).Encode(done)
}
`,
    );
    const env = {
      ...process.env,
      GOFLAGS: "-mod=mod",
      GOCACHE: file("go-cache"),
      GOPATH: file("go-path"),
      GOPROXY: "off",
    };
    const out = execFileSync("go", ["run", "."], {
      cwd: file("go"),
      env,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(
      changed(
        documents.map(({ value }) => value),
        JSON.parse(out),
      ),
    ).toEqual([]);
  });
});
