import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Key, keyReader } from "./keys.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function read(...chunks: string[]): string[] {
  const keys: Key[] = [];
  const { take } = keyReader((key) => keys.push(key));
  for (const chunk of chunks) take(chunk);
  vi.advanceTimersByTime(100);
  return keys.map((key) => (key.name === "text" ? `“${key.text}”` : key.name));
}

it("knows arrows, letters of any script, and what ends it", () => {
  expect(read("a日😀\u001b[A\u001bOB\r\u007f\u0003")).toEqual([
    ...["“a”", "“日”", "“😀”", "up", "down", "enter", "backspace", "interrupt"],
  ]);
});

it("tells Esc from the beginning of a sequence", () => {
  expect(read("\u001b")).toEqual(["escape"]);
  expect(read("\u001b", "[A")).toEqual(["up"]);
  expect(read("\u001b[", "5~x")).toEqual(["pageup", "“x”"]);
  expect(read("\u001b\u001b")).toEqual(["escape", "escape"]);
});

it("types nothing of what it does not know", () => {
  expect(read("\u001b[15~\u001b[200~paste\u001b[201~\u0001")).toEqual([
    ...["“p”", "“a”", "“s”", "“t”", "“e”"],
  ]);
  expect(read("\u001bx")).toEqual([]);
});
