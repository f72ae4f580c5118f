import { describe, expect, test } from "vitest";
import { Rewriter } from "./rewrite.js";

function rewritten(text: string, cwd?: readonly [string, string], pieces = 1): string {
  const rewriter = new Rewriter({ id: ["old-id", "new-id"], cwd });
  const bytes = Buffer.from(text);
  const out: Uint8Array[] = [];
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size)
    out.push(Buffer.from(rewriter.push(bytes.subarray(at, at + size))));
  out.push(Buffer.from(rewriter.end()));
  return Buffer.concat(out).toString("utf8");
}

describe("rewriting a copy", () => {
  test("the id where a field holds it, never in a text", () => {
    const line = (id: string) =>
      `{"sessionId":"${id}","session_id": "${id}","message":{"content":"say \\"sessionId\\":\\"old-id\\" and old-id"},"uuid":"old-id"}\n`;
    expect(rewritten(line("old-id"))).toBe(line("new-id"));
  });

  test("another session's id stays", () => {
    const line = '{"sessionId":"old-id-2"}\n{"sessionId":"x"}\n';
    expect(rewritten(line)).toBe(line);
  });

  test("a folder and what is below it, not its neighbours and not words", () => {
    const line = '{"cwd":"/x/foo","a":{"cwd":"/x/foo/sub"},"b":{"cwd":"/x/foo-bar"},"text":"cd /x/foo"}\n';
    expect(rewritten(line, ["/x/foo", "/new"])).toBe(
      '{"cwd":"/new","a":{"cwd":"/new/sub"},"b":{"cwd":"/x/foo-bar"},"text":"cd /x/foo"}\n',
    );
  });

  test("a folder of Windows, as JSON spells it", () => {
    expect(
      rewritten('{"cwd":"C:\\\\dev\\\\x\\\\y"}\n{"cwd":"C:\\\\dev\\\\xy"}\n', ["C:\\dev\\x", "/home/x"]),
    ).toBe('{"cwd":"/home/x\\\\y"}\n{"cwd":"C:\\\\dev\\\\xy"}\n');
  });

  test("pieces cut anywhere give the same bytes", () => {
    const text = `${'{"sessionId":"old-id","cwd":"/x/foo"}\n'.repeat(50)}{"sessionId":"old-id"`;
    const whole = rewritten(text, ["/x/foo", "/y"]);
    for (const pieces of [2, 7, 31, 400]) expect(rewritten(text, ["/x/foo", "/y"], pieces)).toBe(whole);
  });
});
