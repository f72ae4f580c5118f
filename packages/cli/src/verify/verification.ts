import type { CheckedFile } from "./files.js";
import type { NativeCheck } from "./native.js";
import type { CheckedSession } from "./sessions.js";

/** What `verify` found out about one path. */
export interface Verification {
  path: string;
  harness?: string;
  ok: boolean;
  files: CheckedFile[];
  sessions: CheckedSession[];
  native: NativeCheck[];
  /** How many were not resumed because they are archived. */
  archived: number;
  /** Of a bundle: what in it is not as its manifest says. */
  problems: string[];
}
