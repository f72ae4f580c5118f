/** What the child writes, and the test expects. */

/** The session's file in a round: it grows, by little and by much, and in the third one it was rewritten. */
export function bytesAt(round: number): Buffer {
  const parts = ["first\n", "ü second\n", "x".repeat(100_000)].slice(0, round);
  return Buffer.from(round < 3 ? parts.join("") : `first\nanother one\n${parts[2]}`);
}

export function textOf(index: number): string {
  return `message ${index}`;
}
