/** Claude Code sessions made by hand, in a person's own store. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "./run.js";

let number = 0;

/** One that begins with `start`, which is its title, and says `text`; its file. */
export function say(
  { home }: Pick<Place, "home">,
  text: string,
  { folder = "-home-dev-demo", start = "Start of it.", cwd = "/home/dev/demo" } = {},
): string {
  const id = `${String(++number).padStart(8, "0")}-0000-4000-8000-000000000000`;
  const path = join(home, ".claude/projects", folder, `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const record = (uuid: string, parentUuid: string | null, content: string) =>
    `${JSON.stringify({ parentUuid, isSidechain: false, type: "user", uuid, sessionId: id, version: "2.1.332", cwd, timestamp: "2026-11-03T12:00:00.000Z", message: { role: "user", content } })}\n`;
  writeFileSync(path, record(`${id}-1`, null, start) + record(`${id}-2`, `${id}-1`, text));
  return path;
}
