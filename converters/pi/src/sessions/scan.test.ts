import { sourceOf } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import * as kit from "../../test-kit/session.js";
import { pathTo, scan, sideBranches } from "./scan.js";

const { chain, user, answer, header } = kit;

async function scanned(...lines: (kit.Line | Buffer)[]) {
  const bytes = Buffer.concat(lines.map((line) => (Buffer.isBuffer(line) ? line : kit.fileOf([line]))));
  const file = await sourceOf(new Map([["/x", bytes]])).open("/x");
  return { found: scan(file), bytes };
}
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id).join(" ");
const talk = (found: ReturnType<typeof scan>) => ids(pathTo(found.entries.at(-1), found).path);

const LINES = [header(), ...chain({ a: user("1"), b: answer("2"), c: user("3"), d: answer("4") })];

describe("a line as Pi writes it", () => {
  test("is known by its beginning: place, parent, role and time", async () => {
    const { found, bytes } = await scanned(...LINES);
    expect(found.header?.meta).toMatchObject({ id: "s1", cwd: "/home/dev/demo" });
    expect(found.entries.map(({ id, parent, type, role }) => [id, parent, type, role])).toEqual([
      ["a", undefined, "message", "user"],
      ["b", "a", "message", "assistant"],
      ["c", "b", "message", "user"],
      ["d", "c", "message", "assistant"],
    ]);
    expect(found.entries[0]?.time).toBe(kit.START + 1000);
    for (const { id, offset, length } of found.entries)
      expect(JSON.parse(bytes.toString("utf8", offset, offset + length))).toMatchObject({ id });
    expect(found.others).toEqual([]);
  });

  test("in any other form is read all the same", async () => {
    const [head, ...entries] = LINES;
    const other = entries.map(({ type, id, ...rest }) => JSON.stringify({ ...rest, id, type }));
    const { found } = await scanned(head as kit.Line, ...other);
    expect(talk(found)).toBe("a b c d");
    expect(found.entries.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  test("with an id that is no plain ASCII has the same id in both", async () => {
    const entries = chain({ ä: user("1"), 'b"\\': answer("2"), "😀": user("3") });
    const { found } = await scanned(header(), ...entries);
    expect(talk(found)).toBe('ä b"\\ 😀');
  });
});

describe("damage", () => {
  const whole = (line: kit.Line | undefined) => JSON.stringify(line);
  const torn = (line: kit.Line | undefined, part = 0.5) =>
    whole(line).slice(0, Math.floor(whole(line).length * part));

  test.each([
    ["glued records", [LINES[0], `${whole(LINES[1])}${whole(LINES[2])}`, LINES[3], LINES[4]], 0],
    [
      "a record behind a torn one",
      [...LINES.slice(0, 3), `${torn(LINES[3])}${whole(LINES[3])}`, LINES[4]],
      1,
    ],
    [
      "nearly all of a record before another",
      [...LINES.slice(0, 3), `${torn(LINES[3], 0.97)}${whole(LINES[3])}`, LINES[4]],
      1,
    ],
    ["NULs before a record", [...LINES.slice(0, 3), `${"\0".repeat(9)}${whole(LINES[3])}`, LINES[4]], 1],
    ["a torn line of its own", [...LINES.slice(0, 3), torn(LINES[1]), LINES[3], LINES[4]], 1],
    ["values that are no records", [...LINES.slice(0, 3), "null", "[1]", "7", LINES[3], LINES[4]], 3],
  ])("%s takes no entry away", async (_, lines, others) => {
    const { found } = await scanned(...(lines as kit.Line[]));
    expect(talk(found)).toBe("a b c d");
    expect(found.others).toHaveLength(others);
  });

  test("a cut last line is none", async () => {
    const { found } = await scanned(...LINES.slice(0, 4), Buffer.from(torn(LINES[4])));
    expect(talk(found)).toBe("a b c");
    expect(found.others).toMatchObject([{ ok: false, why: "torn-tail" }]);
  });

  test("a second header is no header", async () => {
    const { found } = await scanned(...LINES, header({ id: "other" }));
    expect(found.header?.meta.id).toBe("s1");
    expect(talk(found)).toBe("a b c d");
    expect(found.others).toHaveLength(1);
  });

  test("without a header entries are what they say they are", async () => {
    const { found } = await scanned(...LINES.slice(1));
    expect(found.header).toBeUndefined();
    expect(talk(found)).toBe("a b c d");
  });
});

describe("versions", () => {
  test("1: entries follow one another, whatever ids they have", async () => {
    const bare = [user("1"), answer("2"), { ...user("3"), id: "x", parentId: "y" }];
    const { found } = await scanned(header({ version: undefined }), ...bare);
    const { path, bridged } = pathTo(found.entries.at(-1), found);
    expect(path).toHaveLength(3);
    expect(bridged).toEqual([]);
    expect(new Set(found.entries.map(({ id }) => id)).size).toBe(3);
  });

  test("2 and 3: by id and parent; an entry without an id follows the one before", async () => {
    for (const version of [2, 3, 9]) {
      const { found } = await scanned(header({ version }), ...LINES.slice(1), { type: "zz-new" });
      expect(talk(found)).toMatch(/^a b c d @\d+$/);
    }
  });
});

describe("the tree", () => {
  test("its leaf is the last line, whatever stands before it", async () => {
    const { found } = await scanned(
      header(),
      ...chain({ a: user("1"), b: answer("2"), c: user("left") }),
      ...chain({ d: user("right"), e: answer("right") }, "b"),
      ...chain({ f: { type: "label", targetId: "b", label: "here" } }, "a"),
    );
    expect(talk(found)).toBe("a f");
    const branches = sideBranches(found, pathTo(found.entries.at(-1), found).path);
    expect(branches.map(ids)).toEqual(["b c", "d e"]);
  });

  test("lines may stand in any order but for the last", async () => {
    const [head, a, b, c, d] = LINES as [kit.Line, kit.Line, kit.Line, kit.Line, kit.Line];
    const { found } = await scanned(head, c, a, b, d);
    expect(talk(found)).toBe("a b c d");
  });

  test("of two entries with one id the later is in the tree, as in Pi; one that is its own parent never", async () => {
    const [head, a, b, c, d] = LINES as [kit.Line, kit.Line, kit.Line, kit.Line, kit.Line];
    const again = { ...(a as object), message: { role: "user", content: "again" } };
    const { found } = await scanned(head, a, b, again, c, d);
    expect(talk(found)).toBe("a b c d");
    expect(found.byId.get("a")?.offset).toBeGreaterThan(found.byId.get("b")?.offset ?? 0);
    expect(ids(found.doubles)).toBe("a");
    const self = await scanned(head, a, b, { ...(b as object), parentId: "b" }, c, d);
    expect(talk(self.found)).toBe("a b c d");
    expect(ids(self.found.doubles)).toBe("b");
  });

  test("a parent that is not there: what stands before goes on, and that is told", async () => {
    const [head, a, b, c, d] = LINES as [kit.Line, kit.Line, kit.Line, kit.Line, kit.Line];
    const { found } = await scanned(head, a, b, { ...(c as object), parentId: "lost" }, d);
    expect(talk(found)).toBe("a b c d");
    expect(pathTo(found.entries.at(-1), found).bridged).toEqual(["c"]);
    // Nothing stands before the first.
    const first = await scanned(head, { ...(a as object), parentId: "lost" }, b, c, d);
    expect(talk(first.found)).toBe("a b c d");
  });

  test("circles come to an end", async () => {
    const [head, a, b, c, d] = LINES as [kit.Line, kit.Line, kit.Line, kit.Line, kit.Line];
    const { found } = await scanned(head, { ...(a as object), parentId: "c" }, b, c, d);
    expect(talk(found)).toBe("a b c d");
    const apart = await scanned(
      head,
      a,
      b,
      ...chain({ x: user("x") }, "y"),
      ...chain({ y: user("y") }, "x"),
      c,
      d,
    );
    expect(talk(apart.found)).toBe("a b c d");
    expect(sideBranches(apart.found, pathTo(apart.found.entries.at(-1), apart.found).path).map(ids)).toEqual([
      "y x",
    ]);
  });
});
