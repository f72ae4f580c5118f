import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { EditError } from "./error.js";
import { type TomlEditor, tomlEditor, tomlKey, tomlValue } from "./toml.js";

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
      `${CONFIG}\n[mcp_servers.new]\ncommand = "npx"\nargs = ["-y", "x"]\n\n[mcp_servers.new.env]\nA = "1"\n`,
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
      CONFIG.replace(/\[\n {2}"a", # first\n {2}"b",\n\]/, '["c"]'),
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

const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
const anyName = fc.oneof(
  word,
  fc.string({ maxLength: 12, unit: "binary" }).map((s) => s.toWellFormed()),
);
const scalar = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
);
const noise = fc.constantFrom("", "\n", "# a comment\n", "   \n", "# [fake]\n", '# x = "\n');

/** A file as people write them: comments, blank lines, several tables, strings that look like tables. */
const file = fc
  .record({
    top: noise,
    root: fc.uniqueArray(
      fc.tuple(
        word.map((w) => `r_${w}`),
        scalar,
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
    crlf: fc.boolean(),
    bom: fc.boolean(),
    cut: fc.boolean(),
  })
  .map(({ top, root, tables, crlf, bom, cut }) => {
    let text: string = top;
    for (const [key, value, after] of root) text += `${key} = ${tomlValue(value)} # ${key}\n${after}`;
    for (const [name, body, after] of tables) {
      text += `[${name}]\n${Object.entries(body)
        .map(([k, v]) => `${tomlKey(k)}   =  ${tomlValue(v)}\n`)
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
          expect(
            toml.set(after, [...path, Object.keys(value)[0] as string], Object.values(value)[0] as string),
          ).toBe(after);
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
});
