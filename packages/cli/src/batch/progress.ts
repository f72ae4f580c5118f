/** How far a batch is, how fast, and how long it will take: one line on a terminal. */
import type { BatchLine } from "@asp-convert/core";
import type { Terminal } from "../terminal.js";
import { bytes, count, duration } from "../ui/format.js";
import { truncate } from "../ui/width.js";

const EVERY_MS = 200;
const CLEAR = "\r\u001b[K";

export interface BatchProgress {
  start(total: { sessions: number; bytes: number }): void;
  update(line: Pick<BatchLine, "size" | "status">): void;
  end(): void;
}

export function batchProgress(
  terminal: Terminal,
  stream: NodeJS.WriteStream = process.stderr,
): BatchProgress {
  if (!terminal.live || terminal.quiet) return { start() {}, update() {}, end() {} };
  let total = { sessions: 0, bytes: 0 };
  let began = performance.now();
  let last = 0;
  let shown = false;
  const so = { sessions: 0, bytes: 0, failed: 0 };
  return {
    start(all) {
      total = all;
      began = performance.now();
    },
    update({ size, status }) {
      so.sessions++;
      so.bytes += size;
      if (status === "failed") so.failed++;
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      shown = true;
      const ms = now - began;
      const left = so.bytes > 0 ? (ms / so.bytes) * (total.bytes - so.bytes) : 0;
      const failed = so.failed > 0 ? `, ${count(so.failed)} failed` : "";
      const line =
        `${count(so.sessions)} of ${count(total.sessions)} sessions${failed}, ` +
        `${bytes((so.bytes / ms) * 1000)}/s, ${duration(Math.max(left, 0))} left`;
      stream.write(CLEAR + truncate(line, (stream.columns ?? 80) - 1));
    },
    end() {
      if (shown) stream.write(CLEAR);
      shown = false;
    },
  };
}
