import { sample } from "@asp-convert/conformance/toolbox";
import { describe, expect, it } from "vitest";
import { memorySource } from "../io/memory.js";
import type { Environment } from "../io/paths.js";
import { SourceError } from "../io/source.js";
import type { Candidate, Converter } from "./contract.js";
import { HEAD_BYTES } from "./probe.js";
import { createRegistry, TieError, UnknownHarnessError, UnknownStoreError } from "./registry.js";

const environment: Environment = { env: {}, home: "/home/dev", platform: "linux", cwd: "/home/dev" };
const scoring = (id: string, score: number | ((candidate: Candidate) => number)): Converter => ({
  ...sample,
  id,
  name: id,
  probe: typeof score === "number" ? () => score : score,
  locate: ({ home }) => [`${home}/.${id}`],
  open: async (path) => ({ harness: id, root: path }),
});
const files = memorySource({ "/store/a.jsonl": '{"x":1}\n', "/store/big": "y".repeat(HEAD_BYTES * 2) });
const options = { source: files, environment };

describe("get", () => {
  it("finds a converter by its id, and suggests near ones", () => {
    const registry = createRegistry([scoring("claude", 0), scoring("codex", 0), scoring("opencode", 0)]);
    expect(registry.get("codex").id).toBe("codex");
    const suggested = (id: string) => {
      try {
        registry.get(id);
      } catch (error) {
        return error instanceof UnknownHarnessError ? error.suggestions : [];
      }
      return undefined;
    };
    expect(suggested("cladue")).toEqual(["claude"]);
    expect(suggested("claude-code")).toEqual(["claude"]);
    expect(suggested("Codex")).toEqual(["codex"]);
    expect(suggested("open-code")).toEqual(["opencode"]);
    expect(suggested("zzz")).toEqual([]);
    expect(() => registry.get("zzz")).toThrow("Known: claude, codex, opencode");
  });

  it("does not take two of one id", () => {
    expect(() => createRegistry([scoring("a", 0), scoring("a", 1)])).toThrow(/two converters are called "a"/);
  });
});

describe("detect", () => {
  it("takes the highest score", async () => {
    const registry = createRegistry([scoring("a", 40), scoring("b", 95), scoring("c", 0)]);
    expect(await registry.detect("/store", options)).toEqual({
      converter: registry.get("b"),
      store: { harness: "b", root: "/store" },
      score: 95,
    });
  });

  it("is a tie where two are equally sure, naming them and what to do", async () => {
    const registry = createRegistry([scoring("b", 90), scoring("a", 90), scoring("c", 20)]);
    const error: unknown = await registry.detect("/store", options).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TieError);
    expect((error as TieError).candidates).toEqual(["a", "b"]);
    expect(String(error)).toMatch(/--from a or --from b/);
  });

  it("takes --from for what it is told, without probing", async () => {
    const registry = createRegistry([scoring("a", 90), scoring("b", () => Number.NaN)]);
    expect((await registry.detect("/store", { ...options, from: "b" })).converter.id).toBe("b");
    await expect(registry.detect("/store", { ...options, from: "bb" })).rejects.toThrow(UnknownHarnessError);
  });

  it("says what was looked for where nothing is known, and which probe failed", async () => {
    const broken = scoring("b", () => {
      throw new Error("oops");
    });
    const registry = createRegistry([scoring("a", 0), broken]);
    const error: unknown = await registry.detect("/store", options).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnknownStoreError);
    expect(String(error)).toMatch(/of a, b \(b could not look: oops\).*--from a/s);
  });

  it("tells first what could not be looked at, and looks at the rest", async () => {
    const source = {
      ...files,
      open: async (path: string) => {
        if (path.endsWith(".jsonl")) throw new SourceError(path, "unreadable", "permission denied");
        return files.open(path);
      },
    };
    const looking = (name: string): Converter => ({
      ...scoring("a", 0),
      probe: async ({ path, source: look }) => ((await look.open(`${path}/${name}`)).size > 0 ? 90 : 0),
    });
    const error: unknown = await createRegistry([looking("a.jsonl")])
      .detect("/store", { ...options, source })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnknownStoreError);
    expect(String(error)).toMatch(/Error: \/store\/a\.jsonl: permission denied, .*what is in \/store\./);
    const found = await createRegistry([looking("big")]).detect("/store", { ...options, source });
    expect(found.score).toBe(90);
  });

  it("takes an empty folder for a store where a program has its own", async () => {
    const registry = createRegistry([scoring("a", 0), scoring("b", 0)]);
    const source = memorySource({ "/home/dev/.b/x": "", "/home/dev/other/x": "" });
    const found = await registry.detect("/home/dev/.b", { source, environment });
    expect(found.converter.id).toBe("b");
    const elsewhere = registry.detect("/home/dev/other", { source, environment });
    await expect(elsewhere).rejects.toThrow(UnknownStoreError);
  });

  it("says so where nothing is", async () => {
    const registry = createRegistry([scoring("a", 90)]);
    for (const from of [undefined, "a"]) {
      const error: unknown = await registry
        .detect("/nowhere", { ...options, ...(from && { from }) })
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(SourceError);
      expect((error as SourceError).why).toBe("missing");
    }
  });

  it("shows a probe no more than the head of a file, and a folder's names", async () => {
    const seen: Candidate[] = [];
    const registry = createRegistry([
      scoring("a", (candidate) => {
        seen.push(candidate);
        return 1;
      }),
    ]);
    await registry.detect("/store/big", options);
    await registry.detect("/store", options);
    expect(seen[0]).toMatchObject({ kind: "file", entries: [] });
    expect(seen[0]?.head.length).toBe(HEAD_BYTES);
    expect(seen[1]).toMatchObject({ kind: "directory", entries: ["a.jsonl", "big"] });
    expect(seen[1]?.head.length).toBe(0);
  });
});

describe("findStores", () => {
  it("finds every store that is a folder, each once", async () => {
    const twice = {
      ...scoring("a", 0),
      locate: () => ["/home/dev/.a", "/home/dev/x/../.a", "/home/dev/none"],
    };
    const registry = createRegistry([twice, scoring("b", 0), scoring("c", 0)]);
    const source = memorySource({ "/home/dev/.a/f": "", "/home/dev/.b": "a file" });
    expect((await registry.findStores(environment, source)).map(({ store }) => store.root)).toEqual([
      "/home/dev/.a",
    ]);
  });

  it("does not fail for a store that may not be looked at, or cannot be opened", async () => {
    const source = memorySource({ "/home/dev/.a/f": "", "/home/dev/.b/f": "", "/home/dev/.c/f": "" });
    const closed = {
      ...source,
      stat: async (path: string) => {
        if (path.endsWith(".a")) throw new SourceError(path, "unreadable", "may not be read");
        return source.stat(path);
      },
    };
    const broken: Converter = {
      ...scoring("b", 0),
      open: async (path) => {
        throw new SourceError(path, "unreadable", "is damaged");
      },
    };
    const registry = createRegistry([scoring("a", 0), broken, scoring("c", 0)]);
    expect((await registry.findStores(environment, closed)).map(({ store }) => store.harness)).toEqual(["c"]);
  });

  it("goes on without a converter that fails, and tells of it", async () => {
    const source = memorySource({ "/home/dev/.a/f": "", "/home/dev/.b/f": "", "/home/dev/.c/f": "" });
    const oops = (): never => {
      throw new Error("oops");
    };
    const registry = createRegistry([
      { ...scoring("a", 0), locate: oops },
      { ...scoring("b", 0), open: oops },
      scoring("c", 0),
    ]);
    const failed: string[] = [];
    const found = await registry.findStores(environment, source, ({ id }, error) =>
      failed.push(`${id}: ${error}`),
    );
    expect(found.map(({ store }) => store.harness)).toEqual(["c"]);
    expect(failed).toEqual(["a: Error: oops", "b: Error: oops"]);
  });
});

it("an error of another copy of this library is one of this", () => {
  const foreign = Object.assign(new Error("/x: gone"), { name: "SourceError", why: "missing" });
  expect(foreign).toBeInstanceOf(SourceError);
  expect(new Error("/x: gone")).not.toBeInstanceOf(SourceError);
  expect({ name: "SourceError" }).not.toBeInstanceOf(SourceError);
});
