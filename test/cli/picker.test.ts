/** Bare `asp-convert`, by a person's keys in a real terminal. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { sampleFixture } from "@asp-convert/conformance/toolbox";
import { describe, expect, it } from "vitest";
import { type Place, place, root } from "./run.js";
import { say } from "./said.js";
import { noTmux, terminal, type Window } from "./tmux.js";

/** A home with two sessions, and Codex as a script that tells how it was started. */
function home(): { at: Place; env: Record<string, string> } {
  const at = place();
  say(at, "and the flux capacitor", { start: "Mend the clock", cwd: at.cwd });
  say(at, "something else", { start: "Paint the fence", cwd: at.cwd });
  const bin = join(at.home, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "codex"),
    '#!/bin/sh\necho "codex $* in $(pwd)"; [ -t 0 ] && read -r said; echo "heard $said"; exit 7\n',
  );
  chmodSync(join(bin, "codex"), 0o755);
  return { at, env: { PATH: `${bin}:${process.env.PATH}` } };
}

const settings = (window: Window) => {
  window.type("clear; stty -a | tr -d '\\n'; echo; echo EN''D", "Enter");
  return window.sees(/END\n/);
};

describe.skipIf(noTmux)(`the picker${noTmux ? `: ${noTmux}` : ""}`, () => {
  it("goes from a few letters to the session in the other program", async () => {
    const { at, env } = home();
    const window = terminal(at, { ...env, NO_COLOR: "1" });
    window.type("asp; echo code $?", "Enter");
    await window.sees("2 sessions of 1 program");
    window.type("flux");
    await window.sees(
      /1 of 2 sessions[\s\S]*› Mend the clock[\s\S]*found: Mend the clock and the flux capacitor/,
    );
    expect(await window.sees("you: and the flux"), "the last exchange").toContain("list --grep flux");
    window.type("Enter");
    expect(await window.sees("where to?")).toMatch(/› Codex CLI {2}\(.*bin\/codex\)/);
    window.type("Enter");
    const sheet = await window.sees("This is what Codex CLI would get");
    expect(sheet).toMatch(/messages +2/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours, which NO_COLOR forbids
    expect(sheet).not.toMatch(/\u001b\[3\d/);
    window.type("Enter");
    const written = await window.sees("Run Codex CLI now?");
    expect(written).toMatch(/next time: asp-convert convert ~\/\.claude --session \S+ --to codex --install/);
    window.type("Enter");
    await window.sees(/codex resume \S+ in /);
    window.type("hello", "Enter");
    const end = await window.sees("code 7");
    expect(end).toContain("heard hello");
    expect(end.replaceAll("\n", "")).toContain(`in ${at.cwd}`);
  });

  it("steps back with Esc, and leaves the terminal as it was", async () => {
    const { at, env } = home();
    const window = terminal(at, env);
    const before = await settings(window);
    const store = at.files(join(at.home, ".claude"));
    window.type("clear; asp; echo code $?", "Enter");
    await window.sees("Paint the fence");
    window.type("paint", "Enter");
    await window.sees("where to?");
    window.type("Enter");
    await window.sees("would get");
    window.type("Escape");
    await window.sees("where to?");
    window.type("Escape");
    expect(await window.sees("Which session?")).toContain("paint");
    window.type("Escape");
    await window.sees("2 sessions of 1 program");
    window.type("Escape");
    expect(await window.sees("code 0")).toContain("nothing was done");
    expect(at.files(join(at.home, ".claude"))).toEqual(store);
    expect(existsSync(join(at.home, ".codex"))).toBe(false);
    expect(await settings(window)).toBe(before);
  });

  it("is left with Ctrl-C from every screen", async () => {
    const { at, env } = home();
    const window = terminal(at, env);
    const before = await settings(window);
    for (const keys of [[], ["Enter"], ["Enter", "Enter"], ["Enter", "Enter", "Enter"]]) {
      window.type("clear; asp; echo code $?", "Enter");
      const heads = ["Which session?  2", "where to?", "would get", "now?"];
      await window.sees("Paint the fence");
      for (const [index, key] of keys.entries()) {
        window.type(key);
        await window.sees(heads[index + 1] ?? "");
      }
      window.type("C-c");
      // Where all is done already, it is only not run.
      expect(await window.sees(/code \d+/)).toContain(keys.length === 3 ? "code 0" : "code 130");
      expect(await settings(window)).toBe(before);
      expect(window.isItsOwn()).toBe(true);
    }
  });

  it("shows a plugin's sessions, as often as one steps back and forth", async () => {
    const { at, env } = home();
    const acme = join(at.home, ".acme");
    const fixture = sampleFixture();
    for (const [path, bytes] of fixture.files) {
      const there = join(acme, path.slice(fixture.root.length));
      mkdirSync(dirname(there), { recursive: true });
      writeFileSync(there, bytes);
    }
    const toolbox = pathToFileURL(join(root, "packages/conformance/dist/toolbox.js")).href;
    writeFileSync(
      join(at.cwd, "acme.js"),
      `import { sample } from "${toolbox}";
       export default { ...sample, id: "acme", name: "Acme Agent", locate: () => [${JSON.stringify(acme)}] };`,
    );
    writeFileSync(join(at.cwd, "asp.config.json"), JSON.stringify({ plugins: ["./acme.js"] }));
    const window = terminal(at, env);
    window.type("asp; echo code $?", "Enter");
    await window.sees("3 sessions of 2 programs");
    window.type("acme");
    await window.sees(/1 of 3 sessions[\s\S]*› .*Acme Agent[\s\S]*you: /);
    for (const times of [1, 2]) {
      window.type("Enter");
      expect(await window.sees("where to?"), `time ${times}`).toContain("Codex CLI");
      window.type("Escape");
      await window.sees("Which session?");
    }
    window.type("Enter");
    await window.sees("where to?");
    window.type("Enter");
    await window.sees("This is what Codex CLI would get");
    window.type("C-c");
    await window.sees("code 130");
  });

  it("fits the window, whatever its size becomes", async () => {
    const { at, env } = home();
    const window = terminal(at, env);
    window.type("asp", "Enter");
    await window.sees("Paint the fence");
    expect(window.isItsOwn()).toBe(false);
    for (const [columns, rows] of [
      [120, 40],
      [40, 12],
      [80, 24],
    ] as const) {
      window.resize(columns, rows);
      // From the first row to the last one, and nothing of it scrolled away.
      const filled = new RegExp(`^.*Which session\\?(?:.*\n){${rows - 1}}.*next time: asp-convert list.*\n$`);
      await window.sees(filled);
    }
    window.type("C-c");
  });

  it.each([
    ["--plain", "screen-256color"],
    ["", "dumb"],
  ])("asks in numbers: asp-convert %s with TERM=%s", async (flag, TERM) => {
    const { at, env } = home();
    const window = terminal(at, { ...env, TERM });
    window.type(`asp ${flag}; echo code $?`, "Enter");
    await window.sees("or q to leave?");
    window.type("flux", "Enter");
    await window.sees("1. Mend the clock, Claude Code,");
    window.type("1", "Enter");
    await window.sees("1. Codex CLI");
    window.type("1", "Enter");
    await window.sees("2. write it to ./asp-out/codex");
    window.type("2", "Enter");
    const end = await window.sees("code 0");
    expect(end).toMatch(/next time: asp-convert convert ~\/\.claude --session \S+ --to codex\n/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing is painted
    expect(end).not.toMatch(/\u001b\[\?/);
  });
});
