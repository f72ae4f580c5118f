/** What a conversion is asked for. */
import type { Converter, SessionRef, Store } from "../converter/contract.js";
import type { Loss, LossWatcher } from "../fidelity/ledger.js";
import type { Environment } from "../io/paths.js";
import type { Source } from "../io/source.js";
import type { Unreadable } from "./report.js";
import type { StateRequest } from "./state-request.js";
import type { Trail } from "./trail.js";

export interface Progress {
  /** Native session id, and which of how many (from 1). */
  session: string;
  index: number;
  total: number;
  /** Events so far, over all sessions. */
  events: number;
}

export interface ConvertRequest {
  from: Converter;
  store: Store;
  refs: readonly SessionRef[];
  /** What in the store could not be read when it was listed: the report tells of it. */
  unreadable?: readonly Unreadable[];
  to: Converter;
  /** Root of the target store: what the target's own variable would name. */
  root: string;
  /** Instead: one session as a file that the target takes in by itself. @see SessionsKind.file */
  file?: string;
  environment: Environment;
  /** Reads both the source's files and what is in the target already. */
  source: Source;
  /** Re-home the sessions to this working directory. */
  cwd?: string;
  /** Write nothing. */
  dryRun?: boolean;
  /** A loss for which nothing must be written. */
  forbid?: (loss: Loss) => boolean;
  /** `root` is the target's default store: resume needs no variable. */
  installed: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: Progress) => void;
  /**
   * Asked for each session once it is begun, and again where it is begun anew: then what was told before is void. Every
   * loss is told with its record; where the writer named none, with that of the event that was read last.
   */
  watchLosses?: (session: string) => LossWatcher;
  /** `auto` (default): into the same harness by its own bytes. `events`: through portable events always. */
  via?: "events" | "auto";
  /** Further folders the target may write to (a project, a home folder). */
  roots?: readonly string[];
  /** For others to see: what looks like a secret becomes a marker, what cannot be read stays behind. */
  share?: boolean;
  /** The source's own bytes travel inside the session that is made, where the target has a place for them. */
  carry?: boolean;
  /** What is remembered of earlier conversions. Absent: nothing, and nothing is remembered of this one. */
  trail?: Trail;
  /** The kinds beside sessions. Absent: sessions only. */
  state?: StateRequest;
  /** Makes the time in the report reproducible. */
  now?: () => Date;
}
