import { findProgram } from "@asp-convert/conformance/native";
import { expect, test } from "vitest";
import { place } from "../cli/run.js";

test.each([
  ["claude", "codex"],
  ["codex", "claude"],
] as const)(
  "verify --native: from %s into the real %s, which tells its model the whole of it",
  async (from, to) => {
    const at = place();
    const env = {
      ASP_NATIVE_CLAUDE: await findProgram("claude"),
      ASP_NATIVE_CODEX: await findProgram("codex"),
    };
    expect((await at.run([at.store(from, "tools"), "--to", to])).code).toBe(0);
    const { code, out, err } = await at.run(["verify", `asp-out/${to}`, "--native", "--fetch"], { env });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/ {2}resumed$/m);
    expect(out).toMatch(
      /its model was sent \d+ user texts?, \d+ assistant texts?, \d+ calls with \d+ results/,
    );
  },
);

test("verify --native: a program that is not installed is named, with what to do", async () => {
  const at = place();
  await at.run([at.store("claude", "tools"), "--to", "codex"]);
  const { code, err } = await at.run(["verify", "asp-out/codex", "--native"], {
    shell: 'PATH=/nowhere exec "$@"',
  });
  expect(code).toBe(1);
  expect(err).toMatch(/Codex CLI is not installed here: no `codex` on the PATH\n.*--fetch/);
});
