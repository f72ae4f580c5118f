import fc from "fast-check";
import { stringify } from "smol-toml";
import { beforeAll, describe, expect, it } from "vitest";
import { EditError } from "./error.js";
import { type TomlEditor, type TomlValue, tomlEditor } from "./toml.js";

let toml: TomlEditor;
beforeAll(async () => {
  toml = await tomlEditor();
});

/** Only an insertion at one place lies between the two. */
function inserted(before: string, after: string): string | undefined {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  const rest = before.length - start;
  return after.endsWith(before.slice(start)) ? after.slice(start, after.length - rest) : undefined;
}

const CONFIG = `# my Codex
model = "gpt-5.5" # the good one
notify = ["sh", "-c", "echo '[mcp_servers.fake]'"]

text = """
[mcp_servers.evil]
x = 1
"""

[features]
memories = true

# servers below
[mcp_servers.old]
command = "node"   # keep
args = [
  "a", # first
  "b",
]

[[skills.config]]
name = "off"
enabled = false
`;

describe("a table that is new", () => {
  it("is added at the end, as a table of its own with its inner tables", () => {
    const after = toml.set(CONFIG, ["mcp_servers", "new"], {
      command: "npx",
      args: ["-y", "x"],
      env: { A: "1" },
    });
    expect(after).toBe(
      `${CONFIG}\n[mcp_servers.new]\ncommand = "npx"\nargs = [ "-y", "x" ]\n\n[mcp_servers.new.env]\nA = "1"\n`,
    );
  });
  it("begins a file that is not there yet", () => {
    expect(toml.set(undefined, ["mcp_servers", "a"], { command: "x" })).toBe(
      '[mcp_servers.a]\ncommand = "x"\n',
    );
  });
  it("keeps the file's line ending, and a last line without one", () => {
    expect(toml.set("a = 1\r\nb = 2", ["t"], { c: 3 })).toBe("a = 1\r\nb = 2\r\n\r\n[t]\r\nc = 3\r\n");
  });
  it.each([
    "@scope/pkg:1.2",
    "my server",
    "a.b",
    'q"uote',
    "x]\n[mcp_servers.evil",
    "",
    "日本語",
    "back\\slash",
    "del\u007f\u0000",
  ])("may have the hostile name %j and stays one table", (name) => {
    const parsed = toml.parse(toml.set(CONFIG, ["mcp_servers", name], { command: "x" }));
    expect(Object.keys(parsed.mcp_servers as object)).toEqual(["old", name]);
  });
  it.each(["__proto__", "constructor", "prototype"])("never has the name %s", (name) => {
    expect(() => toml.set(CONFIG, ["mcp_servers", name], { command: "x" })).toThrow(EditError);
    expect(() =>
      toml.set(CONFIG, ["mcp_servers", "ok"], { env: { [name]: "x" } as Record<string, string> }),
    ).toThrow(EditError);
  });
  it("goes into an inline table where the file has one", () => {
    expect(
      toml.set("mcp_servers = { a = { command = 'x' } } # mine\n", ["mcp_servers", "b"], { command: "y" }),
    ).toBe("mcp_servers = { a = { command = 'x' }, b = { command = \"y\" } } # mine\n");
  });
});

describe("one value", () => {
  it("is replaced in place", () => {
    expect(toml.set(CONFIG, ["model"], "gpt-6")).toBe(CONFIG.replace('"gpt-5.5"', '"gpt-6"'));
    expect(toml.set(CONFIG, ["mcp_servers", "old", "command"], "deno")).toBe(
      CONFIG.replace('"node"', '"deno"'),
    );
    expect(toml.set(CONFIG, ["mcp_servers", "old", "args"], ["c"])).toBe(
      CONFIG.replace('"a", # first\n  "b",\n', '"c", # first\n'),
    );
  });
  it("is added behind the others of its table", () => {
    expect(toml.set(CONFIG, ["features", "hooks"], true)).toBe(
      CONFIG.replace("memories = true\n", "memories = true\nhooks = true\n"),
    );
    expect(toml.set(CONFIG, ["effort"], "high")).toBe(
      CONFIG.replace('x = 1\n"""\n', 'x = 1\n"""\neffort = "high"\n'),
    );
  });
  it("stands before the first table where the file has no plain value yet, below a comment on top", () => {
    expect(toml.set("[a]\nb = 1\n", ["model"], "m")).toBe('model = "m"\n\n[a]\nb = 1\n');
    expect(toml.set("# about this file\n\n# about a\n[a]\nb = 1\n", ["model"], "m")).toBe(
      '# about this file\n\nmodel = "m"\n\n# about a\n[a]\nb = 1\n',
    );
    expect(toml.set("\uFEFF[a]\nb = 1\n", ["model"], "m")).toBe('\uFEFFmodel = "m"\n\n[a]\nb = 1\n');
  });
  it("goes beside dotted keys of its table", () => {
    expect(toml.set("a.b = 1\nz = 2\n", ["a", "c"], 3)).toBe("a.b = 1\na.c = 3\nz = 2\n");
  });
});

describe("a list of tables", () => {
  it("gets one more, once", () => {
    const after = toml.add(CONFIG, ["skills", "config"], { name: "x", enabled: false });
    expect(after).toBe(`${CONFIG}\n[[skills.config]]\nname = "x"\nenabled = false\n`);
    expect(toml.add(after, ["skills", "config"], { name: "x", enabled: false })).toBe(after);
  });
  it("is not begun where something else is", () => {
    expect(() => toml.add(CONFIG, ["features"], { a: 1 })).toThrow(EditError);
  });
});

describe("what cannot be done", () => {
  it("names the place of a mistake in the file", () => {
    expect(() => toml.set("a = 1\nb = = 2\n", ["c"], 1)).toThrow(/not valid TOML \(line 2, column 5\)/);
  });
  it("does not overwrite something of another kind", () => {
    expect(() => toml.set("mcp_servers = 1\n", ["mcp_servers", "a"], { b: 1 })).toThrow(EditError);
  });
  it("does not write into a list of tables", () => {
    expect(() => toml.set(CONFIG, ["skills", "config", "x"], 1)).toThrow(EditError);
  });
});

describe("what the library gets wrong is refused", () => {
  it("a list that gets shorter, its closing bracket on the last line, has it in a comment", () => {
    expect(() => toml.set("a = [ 1, # one\n  2 ]\n", ["a"], [""])).toThrow(EditError);
  });
  it("a string of many lines with a joined line gets a line end too many", () => {
    expect(() => toml.set('a = """\nx\\\n  y\n"""\n', ["a"], "z")).toThrow(EditError);
  });
});

describe("every other byte", () => {
  const whole = (text: string, path: string[], value: TomlValue, from: string, to: string): void => {
    expect(text.split(from)).toHaveLength(2);
    expect(toml.set(text, path, value)).toBe(text.replace(from, () => to));
  };
  it("stays around a value with comments on all sides", () => {
    whole("# a\n\n  a  =  1   # one\n# b\n\n\n[t] # t\n", ["a"], 2, "1  ", "2  ");
  });
  it("stays in a file of Windows, with its mark in front, with no last line end", () => {
    whole(`\uFEFF${CONFIG.replaceAll("\n", "\r\n").trimEnd()}`, ["model"], "m", '"gpt-5.5"', '"m"');
  });
  it("stays around strings of many lines, also where one takes the place of another", () => {
    whole(
      `${CONFIG}z = '''\n[model]\nx'''\n`,
      ["features", "memories"],
      false,
      "memories = true",
      "memories = false",
    );
    whole('a = """\nx\ny""" # z\nb = 1\n', ["b"], 2, "b = 1", "b = 2");
  });
  it("stays around dotted keys, quoted keys and lists of tables", () => {
    whole("a . b.'c d' = 1 # c\na.e = 2\n", ["a", "b", "c d"], 9, "1 ", "9 ");
    whole('[[x]]\na = 1\n[[x]]\na = 2\n[y."k.l"]\na = 3\n', ["y", "k.l", "a"], 9, "3", "9");
  });
  it("stays around inline tables and in them", () => {
    whole("t = { a = 1, b = { c = 'x' } } # t\n", ["t", "b", "c"], "y", "'x'", "'y'");
    whole("t = { a = 1, b = { c = 'x' } } # t\n", ["t", "b", "d"], 2, "'x'", "'x', d = 2");
    whole("t = {a = 1}\n", ["t", "b"], 2, "1", "1, b = 2");
    whole("t = {}\n", ["t", "b"], 2, "{}", "{b = 2}");
  });
  it("stays in numbers and dates that another program would write differently", () => {
    whole(
      "a = 0xFF\nb = 1_000.50\nc = 1979-05-27 07:32:00Z\nd = 9007199254740993\ne = 1\n",
      ["e"],
      2,
      "e = 1",
      "e = 2",
    );
  });
  it("stays, be it a tab, a space at a line's end or a line end of the other kind", () => {
    whole("a\t=\t1 \t # x\n[ b . c ]\t\nd = 2  \r\n\te=3\n", ["a"], 9, "1 ", "9 ");
    whole("a\t=\t1\n[ b . c ]\t\nd = 2  \r\n\te=3\n", ["b", "c", "d"], 9, "2 ", "9 ");
    expect(toml.set("a = 1\r\nb = 2\n", ["c"], 3)).toBe("a = 1\r\nb = 2\nc = 3\r\n");
  });
  it("would not stay where one value mixes line ends: the library makes them alike, so it is not asked", () => {
    const mixed = "t = {\r\n  a = 1,\n  b = '''x\r\ny'''\n}\n";
    expect(() => toml.set(mixed, ["t", "a"], 3)).toThrow(/mixes two kinds of line ends/);
  });
  it("would not stay where the library respells an inline table's white space, so the edit is refused", () => {
    expect(() => toml.set("t = { a =\t1, b = 2 }\n", ["t", "a"], 3)).toThrow(EditError);
  });
});

const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
const anyName = fc.oneof(
  word,
  fc.string({ maxLength: 12, unit: "binary" }).map((s) => s.toWellFormed()),
);
const scalar: fc.Arbitrary<TomlValue> = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
);
const noise = fc.constantFrom("", "\n", "# a comment\n", "   \n", "# [fake]\n", '# x = "\n');

/** `k = value` as the library we compare with spells it. */
function pair(key: string, value: TomlValue): string {
  return stringify({ [key]: value }).trimEnd();
}
/** The same values as people write them, which no library does. */
const hand = fc.constantFrom(
  "0xFF",
  "1_000",
  "-0.5e3",
  "1979-05-27",
  "'lit # \\'",
  '"""\n[fake]\n\\\n  x = "1"\n"""',
  "'''\n# no comment\n'''",
  "[ 1, # one\n  [2,], ]",
  "{ a = 'x', b.c = [ ] }",
  "{}",
);
const KEEP = "keep";

/** A file as people write them: comments, blank lines, several tables, strings that look like tables. */
const file = fc
  .record({
    top: noise,
    root: fc.uniqueArray(
      fc.tuple(
        word.map((w) => `r_${w}`),
        fc.oneof(
          scalar,
          hand.map((by) => ({ by })),
        ),
        noise,
      ),
      { selector: ([k]) => k, maxLength: 4 },
    ),
    tables: fc.uniqueArray(
      fc.tuple(
        word.map((w) => `t_${w}`),
        fc.dictionary(word, scalar, { maxKeys: 3 }),
        noise,
      ),
      {
        selector: ([k]) => k,
        maxLength: 4,
      },
    ),
    list: fc.array(scalar, { maxLength: 2 }),
    crlf: fc.boolean(),
    bom: fc.boolean(),
    cut: fc.boolean(),
  })
  .map(({ top, root, tables, list, crlf, bom, cut }) => {
    let text: string = top;
    for (const [key, value, after] of root) {
      const written = typeof value === "object" && "by" in value ? `${key}=${value.by}` : pair(key, value);
      text += `${written} # ${key}\n${after}`;
    }
    for (const value of list) text += `[[l_ist]]\n${pair("a", value)}\n`;
    for (const [name, body, after] of tables) {
      text += `[${name}]\n${Object.entries(body)
        .map(([k, v]) => `${pair(k, v).replace("=", "  = ")}\n`)
        .join("")}${after}`;
    }
    if (cut) text = text.replace(/\n$/, "");
    if (crlf) text = text.replaceAll("\n", "\r\n");
    return (bom ? "\uFEFF" : "") + text;
  });

describe("over random files", () => {
  it("a new table is one insertion, parses, and doing it again changes nothing", () => {
    fc.assert(
      fc.property(
        file,
        anyName,
        fc.dictionary(word, scalar, { minKeys: 1, maxKeys: 4 }),
        (text, name, value) => {
          fc.pre(!["__proto__", "constructor", "prototype"].includes(name));
          const path = ["mcp_servers", name];
          const after = toml.set(text, path, value);
          expect(inserted(text, after)).toBeDefined();
          expect(toml.set(after, path, value)).toBe(after);
          for (const [key, inner] of Object.entries(value))
            expect(toml.set(after, [...path, key], inner)).toBe(after);
        },
      ),
      { numRuns: 400 },
    );
  });
  it("a new value of the root is one insertion", () => {
    fc.assert(
      fc.property(file, scalar, (text, value) => {
        const after = toml.set(text, ["model_reasoning_effort"], value);
        expect(inserted(text, after)).toBeDefined();
        expect(toml.set(after, ["model_reasoning_effort"], value)).toBe(after);
      }),
      { numRuns: 400 },
    );
  });
  /** A file around `was`, and what stands before and behind it. */
  const around = fc.tuple(file, file, fc.constantFrom("=", "   =\t", " = ")).map(([one, two, equals]) => {
    const eol = one.includes("\r\n") ? "\r\n" : "\n";
    const alike = (text: string): string => text.replaceAll(/\r?\n/g, eol);
    const start = one.endsWith("\n") || one === "" ? one : `${one}\n`;
    const rest = two.replace("\uFEFF", "").replaceAll(/^(\[*)(?=[rtl]_)/gm, "$1z_");
    return {
      front: alike(`${start}[${KEEP}]\n${KEEP}${equals}`),
      back: alike(` # mine\n\n# not mine\n[zz]\n${rest}`),
      alike,
    };
  });
  it("a value that is there is changed, and nothing before or behind it", () => {
    fc.assert(
      fc.property(around, scalar, scalar, ({ front, back, alike }, old, value) => {
        const after = toml.set(front + alike(pair("k", old).slice(4)) + back, [KEEP, KEEP], value);
        expect(after.startsWith(front)).toBe(true);
        expect(after.endsWith(back)).toBe(true);
        expect(toml.parse(after)[KEEP]).toEqual({ [KEEP]: value });
      }),
      { numRuns: 400 },
    );
  });
  it("a value in a form of its own is changed alone, or the edit is refused", () => {
    let done = 0;
    fc.assert(
      fc.property(around, hand, scalar, ({ front, back, alike }, old, value) => {
        let after: string;
        try {
          after = toml.set(front + alike(old) + back, [KEEP, KEEP], value);
        } catch (error) {
          // The library gets these wrong: see above.
          expect(error).toBeInstanceOf(EditError);
          expect(old).toMatch(/\\\n|\[2,\]/);
          return;
        }
        done++;
        expect(after.startsWith(front)).toBe(true);
        expect(after.endsWith(back)).toBe(true);
        expect(toml.parse(after)[KEEP]).toEqual({ [KEEP]: value });
      }),
      { numRuns: 400 },
    );
    expect(done).toBeGreaterThan(200);
  });
});
