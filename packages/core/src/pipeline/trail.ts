/**
 * What is remembered of earlier conversions, so that a session can come home: a port, wired in by who runs conversions
 * (`@asp-convert/store` implements it). Without one, every conversion is the first.
 */
import type {
  Converter,
  SessionInput,
  SessionPlan,
  SessionRef,
  Store,
  Target,
} from "../converter/contract.js";
import type { Environment } from "../io/paths.js";
import type { Source } from "../io/source.js";
import type { SessionEvent } from "../session/event.js";
import type { Written } from "./stage.js";

/** A session that is about to be converted. */
export interface Departure {
  from: Converter;
  store: Store;
  ref: SessionRef;
  to: Converter;
  environment: Environment;
  /** Reads the files that `ref` names. */
  source: Source;
  signal?: AbortSignal | undefined;
}

/** The session is one of the target's own that went away and comes back. */
export interface Homecoming {
  /** As it was when it left; its source reads the bytes that were kept. */
  base: SessionInput;
  /** What was said in other programs on the way, between `base` and the session that is read now. */
  between: () => AsyncIterable<SessionEvent>;
  /**
   * Asked for each event that is read now, in order: does what stands in `base` and `between` hold it already?
   * @returns one that starts anew.
   */
  sharing: () => (event: SessionEvent) => boolean;
  /** Subagents' sessions that `base` holds already: their ids in the source, and in the target. */
  children: ReadonlyMap<string, string>;
}

/** It came from the target, but cannot be put back as it was. */
export interface LostWay {
  lost: "prefix-changed" | "evidence-missing";
  /** A sentence for people: which session, and what of it was recognised. */
  detail: string;
}

/** A session that was converted, before it is known whether the run as a whole succeeds. */
export interface Arrival extends Departure {
  plan: SessionPlan;
  target: Target;
  how: "replayed" | "written" | "returned";
  /** ISO 8601. */
  createdAt: string;
  /** The first thing that a person said. */
  opening?: SessionEvent | undefined;
  /** What was put into a file of the plan; undefined: it was there already, or is no file of its own. */
  written: (path: string) => Written | undefined;
}

export interface Trail {
  /** undefined: nothing is known of it that leads to the target's harness. */
  homeOf(departure: Departure): Promise<Homecoming | LostWay | undefined>;
  /** Keeps the source's bytes, when all of a run is staged. What it gives back is for `keep`. */
  note(arrival: Arrival): Promise<unknown>;
  /** Remembers what was noted; durable when it resolves. Called before the run is committed. */
  keep(noted: readonly unknown[]): Promise<void>;
}
