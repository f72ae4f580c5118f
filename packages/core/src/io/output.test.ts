import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inPieces } from "./output.js";

async function joined(parts: readonly (string | Uint8Array)[]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of inPieces(parts)) pieces.push(piece);
  return pieces;
}

describe("inPieces", () => {
  it("gives the bytes of the parts, in few pieces", async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} größe 日本\n`);
    const pieces = await joined(lines);
    expect(Buffer.concat(pieces).toString()).toBe(lines.join(""));
    expect(pieces.length).toBeLessThan(5);
  });

  it("lets a part through that is larger than a piece, and bytes as they are, in order", async () => {
    const large = "日".repeat(200_000);
    const pieces = await joined(["a", large, "b", Buffer.from([0xff, 0xfe]), "c", new Uint8Array(0)]);
    expect(Buffer.concat(pieces)).toEqual(
      Buffer.concat([Buffer.from(`a${large}b`), Buffer.from([0xff, 0xfe]), Buffer.from("c")]),
    );
  });

  it("keeps what it gave away: no piece changes afterwards", async () => {
    const seen: [Buffer, string][] = [];
    for await (const piece of inPieces(Array.from({ length: 300 }, (_, i) => `${i}`.repeat(1000))))
      seen.push([piece, piece.toString()]);
    for (const [piece, text] of seen) expect(piece.toString()).toBe(text);
  });

  it("encodes a character whole wherever its halves are parted; a lone half becomes U+FFFD", async () => {
    expect(Buffer.concat(await joined(["a\ud83d", "\ude00b"])).toString()).toBe("a😀b");
    expect(Buffer.concat(await joined(["a\ud83d", "", "\ude00b"])).toString()).toBe("a😀b");
    expect(Buffer.concat(await joined(["a\ud83d", Buffer.from("b"), "\ud83d"])).toString()).toBe(
      "a\ufffdb\ufffd",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.array(fc.nat(40)),
        async (text, cuts) => {
          const at = [0, ...cuts.sort((a, b) => a - b), text.length];
          const parts = at.slice(1).map((end, i) => text.slice(at[i], end));
          expect(Buffer.concat(await joined(parts))).toEqual(Buffer.from(parts.join("")));
        },
      ),
    );
  });

  it("gives nothing for nothing", async () => {
    expect(await joined([])).toEqual([]);
    expect(await joined(["", new Uint8Array(0)])).toEqual([]);
  });
});
