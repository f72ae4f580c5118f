import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, type LineOptions, lineBatches, type Piece, pieceAt, piecesOf } from "./lines.js";
import type { OpenFile } from "./source.js";

function file(content: string | Uint8Array): OpenFile {
  const bytes = Buffer.from(content);
  return {
    path: "/t.jsonl",
    size: bytes.length,
    mtimeMs: 0,
    read: (offset, length) => Buffer.from(bytes.subarray(offset, offset + length)),
    check: () => "same",
    close: () => undefined,
  };
}

/** Lines with their bytes copied, since a batch is only valid until the next. */
function lines(
  content: string | Uint8Array,
  options: LineOptions = {},
): (Omit<Line, "bytes"> & { text?: string })[] {
  const all = [];
  for (const batch of lineBatches(file(content), options)) {
    for (const { bytes, ...line } of batch) all.push({ ...line, ...(bytes && { text: bytes.toString() }) });
  }
  return all;
}

function pieces(text: string | Uint8Array, ended = true): Piece[] {
  const bytes = Buffer.from(text);
  return piecesOf({ number: 1, offset: 100, length: bytes.length, bytes, ended });
}

describe("lineBatches", () => {
  it("splits at LF only and tells number, offset and length", () => {
    expect(lines('{"a":"x\u2028y\u2029\u0085"}\r\n\n{"b":1}')).toEqual([
      { number: 1, offset: 0, length: 19, ended: true, text: '{"a":"x\u2028y\u2029\u0085"}' },
      { number: 3, offset: 21, length: 7, ended: false, text: '{"b":1}' },
    ]);
  });

  it("leaves a BOM out of the first line", () => {
    expect(lines("\ufeff{}\n")).toEqual([{ number: 1, offset: 3, length: 2, ended: true, text: "{}" }]);
  });

  it("tells of a line over the bound without holding it, and goes on", () => {
    expect(lines(`${"x".repeat(50)}\n{}\n`, { maxLine: 20, chunk: 8 })).toEqual([
      { number: 1, offset: 0, length: 50, ended: true },
      { number: 2, offset: 51, length: 2, ended: true, text: "{}" },
    ]);
  });

  it("never asks for more than a chunk of a line over the bound, and once more for one that is not", () => {
    const asked = (content: string) => {
      const reads: number[] = [];
      const plain = file(content);
      const watched: OpenFile = {
        ...plain,
        read(offset, length) {
          reads.push(length);
          return plain.read(offset, length);
        },
      };
      for (const _ of lineBatches(watched, { maxLine: 100, chunk: 10 }));
      return Math.max(...reads);
    };
    expect(asked(`${"x".repeat(101)}\n{}\n`)).toBe(10);
    expect(asked("x".repeat(101))).toBe(10);
    expect(asked(`${"x".repeat(100)}\n{}\n`)).toBe(100);
  });

  it("gives the same lines whatever the chunk size, and shows every byte once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" })),
        fc.integer({ min: 1, max: 40 }),
        (parts, chunk) => {
          const text = parts.join("\n");
          const seen: Uint8Array[] = [];
          const got = lines(text, { chunk, onBytes: (bytes) => seen.push(Uint8Array.from(bytes)) });
          expect(got).toEqual(lines(text));
          expect(Buffer.concat(seen)).toEqual(Buffer.from(text));
          for (const line of got) {
            expect(
              Buffer.from(text)
                .subarray(line.offset, line.offset + line.length)
                .toString()
                .replace(/\r$/, ""),
            ).toBe(line.text);
          }
        },
      ),
    );
  });
});

describe("piecesOf", () => {
  it("is one value for a good line", () => {
    expect(pieces('{"a":1}')).toEqual([{ ok: true, value: { a: 1 }, offset: 100, length: 7 }]);
  });

  it("takes glued records apart", () => {
    expect(pieces('{"type":"a"}{"type":"b","s":"}{"}')).toMatchObject([
      { ok: true, value: { type: "a" }, offset: 100, length: 12 },
      { ok: true, value: { type: "b", s: "}{" }, offset: 112, length: 21 },
    ]);
  });

  it("takes glued objects for records whatever their keys, and white space between them for nothing", () => {
    expect(pieces('{"kind":"cut"} \t{"values":{}} ')).toMatchObject([
      { ok: true, value: { kind: "cut" }, offset: 100, length: 14 },
      { ok: true, value: { values: {} }, offset: 116, length: 13 },
    ]);
    expect(pieces("   ")).toEqual([]);
  });

  it("does not take a part of a cut record for a record", () => {
    expect(pieces('{"message":{"role":"user","a":{"b":1}},"cu')).toEqual([
      { ok: false, why: "unparsable", offset: 100, length: 42 },
    ]);
  });

  it("does not take a message inside a cut record for a record", () => {
    const raw = (text: string, why: string) => [{ ok: false, why, offset: 100, length: text.length }];
    const inner = '{"a":1,"payload":{"type":"message","id":"x"}';
    expect(pieces(`${inner},"cu`)).toEqual(raw(`${inner},"cu`, "unparsable"));
    expect(pieces(inner, false)).toEqual(raw(inner, "torn-tail"));
    // Followed by a line end it cannot be told from one record cut and another glued to it: nothing is lost that way.
    expect(pieces(inner)).toMatchObject([{ ok: false }, { ok: true, value: { type: "message", id: "x" } }]);
    expect(pieces('{"a":[{"type":"x"},{"type":"y"')).toEqual(
      raw('{"a":[{"type":"x"},{"type":"y"', "unparsable"),
    );
  });

  it("finds the whole record inside a cut one and accounts for the rest", () => {
    expect(pieces('{"type":"us{"type":"user","n":1}')).toEqual([
      { ok: false, why: "unparsable", offset: 100, length: 11 },
      { ok: true, value: { type: "user", n: 1 }, offset: 111, length: 21 },
    ]);
  });

  it("steps over NUL runs and says how long they are", () => {
    expect(pieces(`${"\0".repeat(200)}{"type":"a"}`)).toMatchObject([
      { ok: false, length: 200 },
      { ok: true, value: { type: "a" }, offset: 300 },
    ]);
  });

  it("calls an unfinished last line a torn tail", () => {
    expect(pieces('{"type":"user","mess', false)).toEqual([
      { ok: false, why: "torn-tail", offset: 100, length: 20 },
    ]);
  });

  it("keeps a lone surrogate's escape and reports bytes that are no UTF-8", () => {
    expect(pieces('{"a":"\\ud83d"}')).toEqual([
      { ok: true, value: { a: "\ud83d" }, offset: 100, length: 14 },
    ]);
    expect(pieces(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject([{ ok: true, invalidText: true }]);
  });

  it("accounts for every byte of any damaged line exactly once, but for white space", () => {
    const damaged = fc.array(
      fc.oneof(fc.constantFrom('{"type":"a"}', '{"type":"', '{"', "}", '"', "\0\0", "[{"), fc.string()),
    );
    fc.assert(
      fc.property(damaged, (parts) => {
        const text = parts.join("").replaceAll("\n", "");
        if (text === "") return;
        const got = pieces(text);
        let at = 100;
        const bytes = Buffer.from(text);
        const blank = (to: number) => bytes.toString("latin1", at - 100, to - 100).trim() === "";
        for (const piece of got) {
          expect(piece.offset).toBeGreaterThanOrEqual(at);
          expect(blank(piece.offset)).toBe(true);
          at = piece.offset + piece.length;
        }
        expect(blank(100 + bytes.length)).toBe(true);
      }),
    );
  });

  it("stays fast on a line made to be slow", () => {
    const started = performance.now();
    pieces('{"'.repeat(500_000));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

it("digs out of a damaged line what is said to be a record, and no fragment of one", () => {
  const text = '{"table":"en{"table":"entry","data":{"a":1}}\n';
  const [line] = [...lineBatches(file(text))].flat();
  if (!line) throw new Error("no line");
  const found = (pieces: ReturnType<typeof piecesOf>) =>
    pieces.map((piece) => (piece.ok ? piece.value : piece.why));
  expect(found(piecesOf(line))).toEqual(["unparsable"]);
  expect(found(piecesOf(line, (value) => "table" in value))).toEqual([
    "unparsable",
    { table: "entry", data: { a: 1 } },
  ]);
});

it("the record that lies in a stretch of a document: without a BOM before it and NULs after it", () => {
  const bytes = Buffer.concat([
    Buffer.from('[\ufeff{"a":"x'),
    Buffer.from([0xff]),
    Buffer.from('"}\0\0, {"b'),
  ]);
  const length = bytes.lastIndexOf(",") - 1;
  expect(pieceAt(file(bytes), { offset: 1, length })).toMatchObject({
    ok: true,
    value: { a: "x\ufffd" },
    invalidText: true,
  });
  expect(pieceAt(file(bytes), { offset: length + 2, length: 5 })).toMatchObject({
    ok: false,
    offset: length + 2,
  });
});
