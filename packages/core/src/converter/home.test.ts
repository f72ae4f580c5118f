import { sample } from "@asp-convert/conformance/toolbox";
import { describe, expect, it } from "vitest";
import { memorySource } from "../io/memory.js";
import type { Environment } from "../io/paths.js";
import type { Converter } from "./contract.js";
import { createRegistry, SeveralStoresError } from "./registry.js";

const environment: Environment = {
  env: { A_DIR: "/elsewhere" },
  home: "/home/dev",
  platform: "linux",
  cwd: "/home/dev",
};
/** Keeps its store at `~/.<id>`, sure of it where it has its mark; thinks what it is told of any other folder. */
const keeping = (id: string, elsewhere = 0): Converter => ({
  ...sample,
  id,
  name: `Program ${id}`,
  probe: ({ path, entries }) =>
    entries.includes(`${id}.mark`) ? 95 : path.endsWith(`/.${id}`) ? 45 : elsewhere,
  locate: ({ env, home }) => [...(env[`${id.toUpperCase()}_DIR`] ? ["/elsewhere"] : []), `${home}/.${id}`],
  open: async (path) => ({ harness: id, root: path }),
});
const source = memorySource({
  "/copy/.a/a.mark": "",
  "/copy/.b/b.mark": "",
  "/copy/.c/settings.json": "{}",
  "/one/.b/b.mark": "",
  "/project/.c/settings.json": "{}",
  "/store/a.mark": "",
  "/store/.b/b.mark": "",
});
const options = { source, environment };
const registry = createRegistry([keeping("a"), keeping("b"), keeping("c", 55)]);

describe("a home folder", () => {
  it("with one store is that store, wherever this machine's own variables point", async () => {
    expect(await registry.detect("/one", options)).toMatchObject({
      converter: { id: "b" },
      store: { root: "/one/.b" },
      score: 95,
    });
  });

  it("with several is none of them: they are named", async () => {
    const error: unknown = await registry.detect("/copy", options).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SeveralStoresError);
    expect((error as SeveralStoresError).stores).toEqual([
      { id: "a", path: "/copy/.a" },
      { id: "b", path: "/copy/.b" },
    ]);
    expect(String(error)).toMatch(/\/copy\/\.a \(Program a\), \/copy\/\.b \(Program b\)/);
  });

  it("is the store of the program that --from names", async () => {
    const detected = await registry.detect("/copy", { ...options, from: "b" });
    expect(detected.store).toEqual({ harness: "b", root: "/copy/.b" });
  });

  it("is no home because of a folder's name", async () => {
    const { store } = await registry.detect("/project", options);
    expect(store).toEqual({ harness: "c", root: "/project" });
  });

  it("is none where it is a store itself", async () => {
    expect((await registry.detect("/store", options)).store).toEqual({ harness: "a", root: "/store" });
    expect((await registry.detect("/store", { ...options, from: "a" })).store.root).toBe("/store");
  });
});
