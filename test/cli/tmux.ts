/** A real terminal to type into: tmux, on a socket of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Place, program } from "./run.js";

const there = spawnSync("tmux", ["-V"]).status === 0;
/** Why these tests do not run here. In CI they must: `.ci/run` installs it. */
export const noTmux: string | false =
  !there && !process.env.CI ? "no tmux on this machine: apt-get install tmux" : false;

export interface Window {
  type(...keys: string[]): void;
  /** What is on the screen once it has that. */
  sees(text: string | RegExp): Promise<string>;
  screen(): string;
  /** It shows what was there before a program painted over it. */
  isItsOwn(): boolean;
  resize(columns: number, rows: number): void;
}

/** A shell in a window of 80×24, its prompt `$`; `asp` starts the command. */
export function terminal(at: Place, env: Record<string, string> = {}): Window {
  const folder = mkdtempSync(join(tmpdir(), "asp-tmux-"));
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-S", join(folder, "socket"), "-f", "/dev/null", ...args], { encoding: "utf8" });
  onTestFinished(() => {
    try {
      tmux("kill-server");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  const { PATH = "" } = process.env;
  const variables = {
    HOME: at.home,
    PATH,
    TERM: "screen-256color",
    TZ: "UTC",
    LANG: "C.UTF-8",
    PS1: "$ ",
    ...env,
  };
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  tmux(
    ...["-u", "new-session", "-d", "-x", "80", "-y", "24", "-c", at.cwd],
    ...["--", "env", "-i", ...words, "sh", "-i"],
  );
  const screen = () => tmux("capture-pane", "-p", "-e");
  const window: Window = {
    screen,
    isItsOwn: () => tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").trim() === "0 1",
    type: (...keys) => void tmux("send-keys", ...keys),
    resize: (columns, rows) => void tmux("resize-window", "-x", String(columns), "-y", String(rows)),
    async sees(text) {
      const until = performance.now() + 10_000;
      for (;;) {
        const now = screen();
        if (typeof text === "string" ? now.includes(text) : text.test(now)) return now;
        if (performance.now() > until) throw new Error(`not on the screen: ${text}\n${now}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
  window.type(`asp() { ${process.execPath} ${program} "$@"; }; clear`, "Enter");
  return window;
}
