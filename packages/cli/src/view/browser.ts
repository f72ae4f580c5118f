/** The program that this system shows pages with. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Terminal } from "../terminal.js";

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** A machine without one says so; the page is there all the same. */
export async function openInBrowser(path: string, terminal: Terminal): Promise<void> {
  const [program, ...before] = OPENERS[terminal.environment.platform] ?? ["xdg-open"];
  const child = spawn(program, [...before, path], { stdio: "ignore", detached: true });
  try {
    await once(child, "spawn");
    child.unref();
  } catch {
    terminal.warn(`asp-convert: ${program} is not here to show it; open ${path} in a browser`);
  }
}
