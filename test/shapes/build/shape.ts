/** One synthetic case: what it is, what is right, and the files of its store. */
export interface Shape {
  name: string;
  /** Ids of the pains it stands for. */
  pains: readonly string[];
  harness: "claude" | "codex";
  what: string;
  right: string;
  /** By path in the fixture's folder. */
  files: Readonly<Record<string, string | Uint8Array>>;
}
