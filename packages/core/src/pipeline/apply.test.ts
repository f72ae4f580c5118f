import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { freshFolder, plan, populate, tree } from "../../test/store.js";
import type { Environment } from "../io/paths.js";
import { apply } from "./apply.js";
import { ChangedSinceError, UnknownReceiptError } from "./errors.js";
import type { Action } from "./plan.js";
import { failWith, RollbackError } from "./stage.js";
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

describe("apply and undo", () => {
  it("does everything, and takes back exactly that", async () => {
    populate(root);
    const before = tree(root);
    const receipt = await apply(plan(root), options());
    expect(receipt.state).toBe("done");
    expect(receipt.entries.map((entry) => entry.do)).toEqual([
      "create",
      "create",
      "link",
      "edit",
      "edit",
      "append",
      "append",
    ]);
    const path = join(root, "sessions/2026/11/a.jsonl");
    expect(readFileSync(path, "utf8")).toBe('{"n":1}\n{}\n');
    expect(statSync(path).mtimeMs).toBe(Date.UTC(2026, 10, 3));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "keep/b.sh")).mode & 0o777).toBe(0o755 & ~process.umask());
    expect(readFileSync(join(root, "config.toml"), "utf8")).toBe("# mine\nmodel = 'x'\n[mcp_servers.demo]\n");
    expect(statSync(join(root, "config.toml")).mode & 0o777).toBe(0o640);
    expect(readFileSync(join(root, "index.jsonl"), "utf8")).toBe('{"id":"old"}\n{"id":"new"}\n');
    expect(readFileSync(join(root, "fresh/log.jsonl"), "utf8")).toBe('{"first":true}\n');
    expect(Object.keys(tree(root)).filter((name) => name.includes(".tmp"))).toEqual([]);
    expect((await listReceipts(environment)).map(({ id, state }) => [id, state])).toEqual([
      [receipt.id, "done"],
    ]);

    const undone = await undo(undefined, environment);
    expect(undone.id).toBe(receipt.id);
    expect(tree(root)).toEqual(before);
    expect((await listReceipts(environment)).map(({ state }) => state)).toEqual(["undone"]);
    await expect(undo(receipt.id, environment)).rejects.toThrow(/undone already/);
    await expect(undo(undefined, environment)).rejects.toThrow(UnknownReceiptError);
  });

  it("makes a root that is not there, with the folders above it, and removes them again", async () => {
    const deep = join(base, "x/y/z");
    await apply([{ do: "create", path: join(deep, "f"), content: "1" }], options({ roots: [deep] }));
    expect(readFileSync(join(deep, "f"), "utf8")).toBe("1");
    await undo(undefined, environment);
    expect(existsSync(join(base, "x"))).toBe(false);
  });

  it("finds the very same done already: nothing is written, no receipt", async () => {
    populate(root);
    await apply(plan(root), options());
    const after = tree(root);
    const again = await apply(plan(root), options());
    expect(again.entries).toEqual([]);
    expect(again.unchanged).toHaveLength(7);
    expect(tree(root)).toEqual(after);
    expect(await listReceipts(environment)).toHaveLength(1);
  });

  it("never replaces a file", async () => {
    populate(root);
    mkdirSync(join(root, "sessions/2026/11"), { recursive: true });
    writeFileSync(join(root, "sessions/2026/11/a.jsonl"), "someone else's");
    const before = tree(root);
    await expect(apply(plan(root), options())).rejects.toThrow(/another file of this name/);
    expect(tree(root)).toEqual(before);
  });

  it("never replaces a file that appears while it works", async () => {
    populate(root);
    const path = join(root, "sessions/2026/11/a.jsonl");
    const onStep = (what: string) => {
      if (what === "committing") writeFileSync(path, "someone else's");
    };
    await expect(apply(plan(root), options({ onStep }))).rejects.toThrow(/appeared while/);
    expect(readFileSync(path, "utf8")).toBe("someone else's");
    expect(readFileSync(join(root, "config.toml"), "utf8")).toBe("# mine\nmodel = 'x'\n");
    expect(existsSync(join(root, "keep/b.sh"))).toBe(false);
  });

  it("does not edit over a change made meanwhile", async () => {
    populate(root);
    const onStep = (what: string) => {
      if (what === "committing") writeFileSync(join(root, "config.toml"), "theirs");
    };
    await expect(apply(plan(root), options({ onStep }))).rejects.toThrow(/changed by another program/);
    expect(readFileSync(join(root, "config.toml"), "utf8")).toBe("theirs");
    expect(existsSync(join(root, "sessions"))).toBe(false);
  });

  it("refuses to undo what changed since, naming it, and undoes nothing", async () => {
    populate(root);
    const receipt = await apply(plan(root), options());
    writeFileSync(join(root, "sessions/2026/11/a.jsonl"), "more", { flag: "a" });
    writeFileSync(join(root, "index.jsonl"), '{"id":"later"}\n', { flag: "a" });
    const after = tree(root);
    const error: unknown = await undo(receipt.id, environment).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ChangedSinceError);
    expect((error as ChangedSinceError).paths.toSorted()).toEqual([
      join(root, "index.jsonl"),
      join(root, "sessions/2026/11/a.jsonl"),
    ]);
    expect(tree(root)).toEqual(after);
  });

  it("leaves a folder it made if something else is in it now", async () => {
    populate(root);
    await apply(plan(root), options());
    writeFileSync(join(root, "fresh/other"), "");
    await undo(undefined, environment);
    expect(readdirSync(join(root, "fresh"))).toEqual(["other"]);
    expect(existsSync(join(root, "sessions"))).toBe(false);
  });

  it("rolls back when told to stop", async () => {
    populate(root);
    const before = tree(root);
    for (const at of ["writing", "committing", "after create", "after append"]) {
      const stop = new AbortController();
      const onStep = (what: string) => {
        if (what.startsWith(at)) stop.abort();
      };
      await expect(apply(plan(root), options({ signal: stop.signal, onStep }))).rejects.toThrow(/abort/);
      expect(tree(root)).toEqual(before);
    }
    expect(await listReceipts(environment)).toEqual([]);
  });

  it("adds lines on a line of their own, each once", async () => {
    mkdirSync(root);
    writeFileSync(join(root, "i"), '{"a":1}');
    await apply(
      [{ do: "append", path: join(root, "i"), lines: () => '{"b":2}\n{"b":2}\n{"a":1}\n' }],
      options(),
    );
    expect(readFileSync(join(root, "i"), "utf8")).toBe('{"a":1}\n{"b":2}\n');
    await undo(undefined, environment);
    expect(readFileSync(join(root, "i"), "utf8")).toBe('{"a":1}');
  });

  it("keeps a byte order mark, and refuses what is no text", async () => {
    mkdirSync(root);
    writeFileSync(join(root, "a"), "\uFEFFold");
    writeFileSync(join(root, "b"), new Uint8Array([0xff, 0xfe, 0x41]));
    const edit = (name: string): Action => ({
      do: "edit",
      path: join(root, name),
      edit: (text) => `${text}+`,
      what: "x",
    });
    await apply([edit("a"), edit("a")], options());
    expect(readFileSync(join(root, "a"), "utf8")).toBe("\uFEFFold++");
    await expect(apply([edit("b")], options())).rejects.toThrow(/UTF-8/);
  });
});

describe("links", () => {
  it("does not write through a link that leaves the root", async () => {
    populate(root);
    mkdirSync(join(base, "outside"));
    writeFileSync(join(base, "outside/f"), "theirs");
    symlinkSync(join(base, "outside"), join(root, "out"));
    symlinkSync(join(base, "outside/f"), join(root, "file"));
    symlinkSync(join(base, "nowhere"), join(root, "dangling"));
    const before = tree(base);
    const create = (path: string): Action => ({ do: "create", path: join(root, path), content: "mine" });
    const edit = (path: string): Action => ({
      do: "edit",
      path: join(root, path),
      edit: () => "mine",
      what: "x",
    });
    await expect(apply([create("out/new")], options())).rejects.toThrow(/leads out of its folder/);
    await expect(apply([create("dangling/new")], options())).rejects.toThrow(/points nowhere/);
    await expect(apply([create("dangling")], options())).rejects.toThrow(/another file/);
    await expect(apply([create("file")], options())).rejects.toThrow(/another file/);
    await expect(apply([edit("file")], options())).rejects.toThrow(/leads out of its folder/);
    await expect(apply([create("../outside/new")], options())).rejects.toThrow(/lies outside/);
    await expect(apply([{ do: "link", path: join(root, "l"), to: "../outside" }], options())).rejects.toThrow(
      /lies outside/,
    );
    rmSync(join(base, "state"), { recursive: true });
    expect(tree(base)).toEqual(before);
  });

  it("works in a root that is itself reached by a link, and edits through a link that stays inside", async () => {
    populate(root);
    symlinkSync(root, join(base, "alias"));
    symlinkSync("config.toml", join(root, "linked.toml"));
    const alias = join(base, "alias");
    await apply(
      [
        { do: "create", path: join(alias, "n/f"), content: "1" },
        { do: "edit", path: join(alias, "linked.toml"), edit: (text) => `${text}!`, what: "x" },
      ],
      options({ roots: [alias] }),
    );
    expect(readFileSync(join(root, "n/f"), "utf8")).toBe("1");
    expect(readFileSync(join(root, "config.toml"), "utf8")).toBe("# mine\nmodel = 'x'\n!");
    expect(lstatSync(join(root, "linked.toml")).isSymbolicLink()).toBe(true);
    await undo(undefined, environment);
    expect(readFileSync(join(root, "config.toml"), "utf8")).toBe("# mine\nmodel = 'x'\n");
  });
});

describe("errors say the cause, the place and the next step", () => {
  // A superuser may write everywhere.
  it.skipIf(process.getuid?.() === 0)("a folder that may not be written", async () => {
    populate(root);
    chmodSync(root, 0o500);
    await expect(apply(plan(root), options())).rejects.toThrow(/permission denied.*write to another folder/s);
    chmodSync(root, 0o700);
  });

  it("a file where a folder is to be, and the other way round", async () => {
    populate(root);
    writeFileSync(join(root, "sessions"), "a file");
    const before = tree(root);
    await expect(apply(plan(root), options())).rejects.toThrow(/sessions: is a file where a folder is to be/);
    rmSync(join(root, "sessions"));
    mkdirSync(join(root, "keep/b.sh"));
    await expect(apply(plan(root), options())).rejects.toThrow(/b\.sh: is a folder where a file is to be/);
    rmSync(join(root, "keep/b.sh"), { recursive: true });
    writeFileSync(join(root, "sessions"), "a file");
    expect(tree(root)).toEqual(before);
  });

  it.skipIf(!existsSync("/dev/full"))("a disk without space", async () => {
    const full = {
      environment: { ...environment, env: { ASP_HOME: "/dev/full/state" } },
      roots: [root],
      what: "x",
    };
    await expect(apply(plan(root), full)).rejects.toThrow(
      /file where a folder is to be|could not be written/,
    );
    const code = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    const content = async function* () {
      yield "some";
      throw code;
    };
    populate(root);
    const before = tree(root);
    await expect(apply([{ do: "create", path: join(root, "f"), content }], options())).rejects.toThrow(
      /store\/f: no space is left on this disk/,
    );
    expect(tree(root)).toEqual(before);
  });
});

describe("a run that cannot be taken back whole", () => {
  it("says the first error, and what stays", async () => {
    populate(root);
    const onStep = (what: string) => {
      if (!what.startsWith("after create") || !what.endsWith("b.sh")) return;
      writeFileSync(join(root, "keep/b.sh"), "theirs now");
      throw new Error("the first error");
    };
    const error: unknown = await apply(plan(root), options({ onStep })).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RollbackError);
    expect(String(error)).toMatch(/the first error\. Besides, another program changed .*b\.sh/);
    expect(readFileSync(join(root, "keep/b.sh"), "utf8")).toBe("theirs now");
    expect(existsSync(join(root, "sessions"))).toBe(false);
    await apply([], options());
    await expect(
      failWith(new Error("first"), { rollback: () => Promise.reject(new Error("second")) }),
    ).rejects.toThrow(
      "first. Besides, not everything could be taken back (second); the next run tries again",
    );
  });
});

describe("property: whatever was there, undo restores exactly that", () => {
  const name = fc.constantFrom("a", "b", "c/d", "c/e", "f/g/h", "i");
  const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("", "x", "x\n", "x\ny", "\uFEFFz"));
  const line = fc.constantFrom("x", "y", '{"z":1}');
  const action = fc.oneof(
    fc.record({
      do: fc.constant("create" as const),
      path: name,
      content: text,
      mode: fc.constantFrom(0o600, 0o755),
    }),
    fc.record({ do: fc.constant("edit" as const), path: name, add: text }),
    fc.record({
      do: fc.constant("append" as const),
      path: name,
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    }),
  );

  it("over random stores and plans", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, text),
        fc.array(action, { maxLength: 6 }),
        async (files, wanted) => {
          rmSync(base, { recursive: true, force: true });
          for (const [path, content] of Object.entries(files)) {
            mkdirSync(dirname(join(root, path)), { recursive: true });
            writeFileSync(join(root, path), content);
          }
          const actions = wanted.map((each): Action => {
            const path = join(root, each.path);
            if (each.do === "create") return { ...each, path };
            if (each.do === "edit")
              return { do: "edit", path, edit: (before) => `${before ?? ""}${each.add}`, what: "x" };
            return { do: "append", path, lines: () => each.lines.map((one) => `${one}\n`).join("") };
          });
          const before = tree(root);
          let failed = false;
          try {
            await apply(actions, options());
          } catch {
            failed = true;
          }
          if (!failed && (await listReceipts(environment)).length > 0) await undo(undefined, environment);
          expect(tree(root)).toEqual(before);
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000);
});
