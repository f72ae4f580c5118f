/** What a run that was stopped for ever leaves, and what the next one makes of it. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { freshFolder, plan, populate, tree } from "../../test/store.js";
import type { Environment } from "../io/paths.js";
import { apply } from "./apply.js";
import { listReceipts, undo } from "./undo.js";

const at = freshFolder();
let base: string;
let root: string;
let environment: Environment;
beforeEach(() => {
  ({ base, environment } = at);
  root = join(base, "store");
});

const options = (more = {}) => ({ environment, roots: [root], what: "a test", ...more });

describe("two runs at once", () => {
  it("refuses the second, saying who is there; the lock of a dead one is broken", async () => {
    populate(root);
    let second: unknown;
    await apply(
      plan(root),
      options({
        onStep: async (what: string) => {
          if (what === "committing")
            second = await apply(plan(root), options()).catch((error: unknown) => error);
        },
      }),
    );
    expect(String(second)).toMatch(new RegExp(`another run is writing there \\(process ${process.pid}`));
    await undo(undefined, environment);

    const locks = join(base, "state/locks");
    await freeze("before create", 1);
    expect(readdirSync(locks)).toHaveLength(1);
    await expect(apply(plan(root), options())).rejects.toThrow(/another run/);
    bury();
    await apply(plan(root), options());
    expect(readdirSync(locks)).toEqual([]);
  });
});

/** Stops a run for ever at the nth step whose name begins so, as a killed process stops. Returns the steps met. */
async function freeze(
  at: string,
  nth: number,
  run = () => apply(plan(root), options({ onStep: stop })),
): Promise<string[]> {
  const met: string[] = [];
  let count = 0;
  let frozen: () => void = () => {};
  const stopped = new Promise<void>((done) => {
    frozen = done;
  });
  stop = (what: string) => {
    met.push(what);
    if (!what.startsWith(at) || ++count !== nth) return;
    frozen();
    return new Promise<void>(() => {});
  };
  await Promise.race([run(), stopped]);
  return met;
}

let stop: (what: string) => Promise<void> | undefined | void = () => {};

/** Makes what the frozen run left look as if its process were gone. */
function bury(): void {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const rename = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replaceAll(`"pid":${process.pid},`, `"pid":${dead},`));
    }
  };
  for (const name of ["locks", "running", "receipts"])
    if (existsSync(join(base, "state", name))) rename(join(base, "state", name));
}

describe("killed at any point", () => {
  it("an apply leaves the target as before after the next run, or as after", async () => {
    populate(root);
    const before = tree(root);
    const steps = await freeze("never", 1, async () =>
      apply(plan(root), options({ onStep: (what: string) => stop(what) })),
    );
    const after = tree(root);
    await undo(undefined, environment);
    expect(tree(root)).toEqual(before);
    expect(steps.length).toBeGreaterThan(30);

    for (let nth = 1; nth <= steps.length; nth++) {
      await freeze("", nth, async () => apply(plan(root), options({ onStep: (what: string) => stop(what) })));
      // Whatever is in the target under its own name is whole.
      for (const [name, content] of Object.entries(tree(root))) {
        if (name.includes(".asp-")) continue;
        expect([before[name], after[name]], `${name} at step ${nth}: ${steps[nth - 1]}`).toContain(content);
      }
      bury();
      await apply([], options());
      const now = tree(root);
      const done = (await listReceipts(environment)).filter(({ state }) => state === "done");
      expect(now, `step ${nth}: ${steps[nth - 1]}`).toEqual(done.length > 0 ? after : before);
      expect(readdirSync(join(base, "state/running"))).toEqual([]);
      expect(readdirSync(join(base, "state/locks"))).toEqual([]);
      if (done.length > 0) await undo(undefined, environment);
      expect(tree(root)).toEqual(before);
    }
  }, 60_000);

  it("an undo is finished by the next run", async () => {
    populate(root);
    const before = tree(root);
    await apply(plan(root), options());
    const after = tree(root);
    const steps = await freeze("never", 1, async () => undo(undefined, environment, (what) => stop(what)));
    for (let nth = 1; nth <= steps.length; nth++) {
      await apply(plan(root), options());
      expect(tree(root)).toEqual(after);
      await freeze("", nth, async () => undo(undefined, environment, (what) => stop(what)));
      bury();
      await apply([], options());
      expect(tree(root), `step ${nth}: ${steps[nth - 1]}`).toEqual(before);
      expect((await listReceipts(environment)).filter(({ state }) => state !== "undone")).toEqual([]);
    }
  }, 60_000);
});
