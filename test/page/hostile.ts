/** A session in which everything that can hold a script holds one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const SCRIPT = '</script><script>globalThis.hit="yes"</script><img src=x onerror="globalThis.hit=1">';

/** In the form of a key; of nobody's. */
export const SECRET = `sk-ant-api03-${"Zq7Lw2Xv9".repeat(8)}`;

export function hostileStore(store: string): void {
  const folder = join(store, "projects", "-home-dev-demo");
  mkdirSync(folder, { recursive: true });
  const sessionId = "0badc0de-0000-4000-8000-000000000001";
  let n = 0;
  const uuid = (i: number) => `00000000-0000-4000-8000-${i.toString().padStart(12, "0")}`;
  const record = (type: string, message: object, more: object = {}) =>
    JSON.stringify({
      parentUuid: n === 0 ? null : uuid(n),
      uuid: uuid(++n),
      isSidechain: false,
      userType: "external",
      type,
      sessionId,
      version: "2.1.0",
      cwd: `/home/dev/${SCRIPT}`,
      gitBranch: SCRIPT,
      timestamp: new Date(Date.UTC(2026, 10, 3, 9, n)).toISOString(),
      message,
      ...more,
    });
  const assistant = (...content: object[]) =>
    record("assistant", {
      id: `msg_${n}`,
      type: "message",
      role: "assistant",
      model: SCRIPT,
      content,
      stop_reason: null,
      usage: {},
    });
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const lines = [
    record("user", {
      role: "user",
      content: [
        {
          type: "text",
          text: `${SCRIPT}\n\n[go](javascript:globalThis.hit=2) ![p](https://example.org/p.png) <iframe src="https://example.org"></iframe>\n\n[site](https://example.org/a)`,
        },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
        {
          type: "image",
          source: { type: "base64", media_type: 'image/png" onerror="globalThis.hit=3', data: png },
        },
        { type: "image", source: { type: "url", url: "https://example.org/q.png" } },
      ],
    }),
    assistant(
      { type: "text", text: "bell \u0007 colour \u001b[31mred\u001b[0m turned \u202etxt" },
      { type: "tool_use", id: "toolu_1", name: SCRIPT, input: { command: SCRIPT, [SCRIPT]: SCRIPT } },
    ),
    record("user", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: SCRIPT, is_error: true }],
    }),
    assistant({
      type: "tool_use",
      id: "toolu_2",
      name: "Edit",
      input: { file_path: "/a.ts", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" },
    }),
    record("user", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_2", content: `done ${SECRET}` }],
    }),
    JSON.stringify({ type: "summary", summary: SCRIPT, leafUuid: uuid(n) }),
  ];
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join("\n")}\n`);
}
