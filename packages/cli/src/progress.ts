/** One line on a terminal that says how far a long run is; nothing for a short one, nothing in a log. */
import type { Progress } from "@asp-convert/core";
import type { Terminal } from "./terminal.js";
import { count } from "./ui/format.js";
import { truncate } from "./ui/width.js";

const PATIENCE_MS = 500;
const EVERY_MS = 100;
const CLEAR = "\r\u001b[K";

export interface ProgressLine {
  /** Without `events`: whole sessions are counted. */
  update(progress: Pick<Progress, "index" | "total"> & Partial<Progress>): void;
  end(): void;
}

export function progressLine(terminal: Terminal, stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (!terminal.live || terminal.quiet) return { update() {}, end() {} };
  const started = performance.now();
  let last = started + PATIENCE_MS - EVERY_MS;
  let shown = false;
  return {
    update({ index, total, events }) {
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      shown = true;
      const which = total > 1 ? [`session ${count(index)} of ${count(total)}`] : [];
      const line = [...which, ...(events === undefined ? [] : [`${count(events)} events`])].join(", ");
      stream.write(CLEAR + truncate(`${line} …`, (stream.columns ?? 80) - 1));
    },
    end() {
      if (shown) stream.write(CLEAR);
      shown = false;
    },
  };
}
