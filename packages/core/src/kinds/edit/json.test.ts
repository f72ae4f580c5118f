import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { EditError } from "./error.js";
import { type JsonEditor, type JsonValue, jsonEditor } from "./json.js";

let json: JsonEditor;
beforeAll(async () => {
  json = await jsonEditor();
});

describe("a key that is new", () => {
  it("is added behind the last one, in the file's own indentation", () => {
    expect(json.set('{\n    "a": 1\n}\n', ["b"], { c: [1] })).toBe(
      '{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}\n',
    );
    expect(json.set('{\r\n\t"a": 1\r\n}', ["b"], { c: 1 })).toBe(
      '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 1\r\n\t}\r\n}',
    );
  });
  it("stays on the line of an object that has one line", () => {
    expect(json.set('{ "a": 1 }', ["b"], [2])).toBe('{ "a": 1, "b": [2] }');
  });
  it("makes the objects on its way", () => {
    expect(json.set('{\n  "a": {}\n}\n', ["a", "b", "c"], 1)).toBe(
      '{\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}\n',
    );
  });
  it("begins a file that is not there, is empty, or is an empty object", () => {
    expect(json.set(undefined, ["a"], 1)).toBe('{\n  "a": 1\n}\n');
    expect(json.set("", ["a"], 1)).toBe('{\n  "a": 1\n}\n');
    expect(json.set("{}", ["a"], 1)).toBe('{\n  "a": 1\n}');
  });
  it("leaves comments and trailing commas where they are", () => {
    expect(json.set('{\n  "a": 1, // last\n  /* end */\n}\n', ["b"], 2)).toBe(
      '{\n  "a": 1, // last\n  "b": 2\n  /* end */\n}\n',
    );
    expect(json.set('{\n  "a": 1 // last\n}\n', ["b"], 2)).toBe('{\n  "a": 1, // last\n  "b": 2\n}\n');
  });
  it("leaves a BOM", () => {
    expect(json.set('\uFEFF{ "a": 1 }', ["b"], 2)).toBe('\uFEFF{ "a": 1, "b": 2 }');
  });
  it.each(["__proto__", "constructor", "prototype"])("is never %s", (key) => {
    expect(() => json.set("{}", ["mcpServers", key], {})).toThrow(EditError);
  });
});

describe("a key that is there", () => {
  it("gets the new value in place of its own only", () => {
    expect(json.set('{ "a": 1 /* one */, "b": 2 }', ["a"], "x")).toBe('{ "a": "x" /* one */, "b": 2 }');
  });
  it("is refused where it stands twice", () => {
    expect(() => json.set('{ "a": 1, "a": 2 }', ["a"], 3)).toThrow(/twice/);
  });
  it("is refused where something else than an object is on the way", () => {
    expect(() => json.set('{ "a": [] }', ["a", "b"], 3)).toThrow(EditError);
  });
  it("names the place of a mistake in the file", () => {
    expect(() => json.set('{\n  "a": 1,\n  oops\n}', ["b"], 3)).toThrow(/not valid JSON \(line 3, column 3/);
  });
});

describe("a list", () => {
  it("gets what it has not", () => {
    expect(json.add('{\n  "deny": [\n    "a"\n  ]\n}\n', ["deny"], ["a", "b", "c"])).toBe(
      '{\n  "deny": [\n    "a",\n    "b",\n    "c"\n  ]\n}\n',
    );
    expect(json.add('{ "deny": ["a"] }', ["deny"], ["b"])).toBe('{ "deny": ["a", "b"] }');
    expect(json.add("{}", ["permissions", "deny"], ["b"])).toContain('"deny": [\n');
  });
  it("stays as it is if nothing is missing", () => {
    expect(json.add('{"deny":["a"]}', ["deny"], ["a"])).toBe('{"deny":["a"]}');
  });
});

const keys = fc.stringMatching(/^[a-zA-Z][\w ./@-]{0,8}$/);
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(keys, tie("any"), { maxKeys: 3 }),
  ),
})).any;

/** A settings file as people keep them: any indentation, comments, CRLF, BOM, several values on a line. */
const file = fc
  .record({
    data: fc.dictionary(keys, value, { maxKeys: 5 }),
    indent: fc.constantFrom("", "  ", "    ", "\t"),
    comment: fc.boolean(),
    crlf: fc.boolean(),
    bom: fc.boolean(),
    newline: fc.boolean(),
  })
  .map(({ data, indent, comment, crlf, bom, newline }) => {
    let text = JSON.stringify(data, undefined, indent);
    if (comment && indent !== "") text = text.replace("{\n", `{ // my settings\n${indent}/* "fake": { */\n`);
    if (newline) text += "\n";
    if (crlf) text = text.replaceAll("\n", "\r\n");
    return (bom ? "\uFEFF" : "") + text;
  });

/** Every character of `before` is in `after`, in order; at most a comma and one more stretch came in. */
function onlyInsertions(before: string, after: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  const tail = before.slice(start);
  if (after.endsWith(tail) && after.length >= before.length) return true;
  if (after[start] !== ",") return false;
  let more = start;
  while (more < before.length && before[more] === after[more + 1]) more++;
  return after.endsWith(before.slice(more));
}

describe("over random files", () => {
  it("a new key only adds text, parses, and doing it again changes nothing", () => {
    fc.assert(
      fc.property(file, fc.uniqueArray(keys, { minLength: 1, maxLength: 3 }), value, (text, path, wanted) => {
        const where = ["asp new", ...path];
        const after = json.set(text, where, wanted);
        expect(onlyInsertions(text, after)).toBe(true);
        expect(json.set(after, where, wanted)).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});
