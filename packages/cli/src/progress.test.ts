import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { progressLine } from "./progress.js";
import type { Terminal } from "./terminal.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

function setup(more: Partial<Terminal> = {}) {
  const written: string[] = [];
  const stream = {
    columns: 40,
    write: (text: string) => written.push(text),
  } as unknown as NodeJS.WriteStream;
  return { written, line: progressLine({ live: true, quiet: false, ...more } as Terminal, stream) };
}

const at = (events: number) => ({ session: "s", index: 1, total: 1, events });

test("nothing for half a second, then a line that is rewritten and cleared", () => {
  const { written, line } = setup();
  line.update(at(1));
  vi.advanceTimersByTime(400);
  line.update(at(2));
  expect(written).toEqual([]);
  vi.advanceTimersByTime(110);
  line.update(at(4096));
  line.update(at(4097));
  expect(written).toEqual(["\r\u001b[K4,096 events …"]);
  vi.advanceTimersByTime(100);
  line.update({ session: "s", index: 2, total: 3000, events: 8192 });
  line.end();
  expect(written.slice(1)).toEqual(["\r\u001b[Ksession 2 of 3,000, 8,192 events …", "\r\u001b[K"]);
});

test("a run that was short leaves no trace", () => {
  const { written, line } = setup();
  line.update(at(1));
  line.end();
  expect(written).toEqual([]);
});

test.each([{ live: false }, { quiet: true }])("none at all where %o", (more) => {
  const { written, line } = setup(more);
  vi.advanceTimersByTime(5000);
  line.update(at(1));
  line.end();
  expect(written).toEqual([]);
});
