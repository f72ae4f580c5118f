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

/** A session that is being converted: its plan is made, and nothing is written yet. */
export interface Arrival extends Departure {
  plan: SessionPlan;
  target: Target;
  how: "replayed" | "written" | "returned";
  /** ISO 8601. */
  createdAt: string;
}

/** What is known of it when all of it is staged. */
export interface Settled {
  /** The first thing that a person said. */
  opening?: SessionEvent | undefined;
  /** What was put into a file of the plan; undefined: it was there already, or is no file of its own. */
  written: (path: string) => Written | undefined;
}

/** The source's bytes on their way into safety, while the session is converted. */
export interface Noting {
  /** Asked when all of the run is staged. What it gives back is for `keep`. */
  settle(settled: Settled): Promise<unknown>;
  /** The run failed: nothing of it stays. Never throws. */
  drop(): Promise<void>;
}

export interface Trail {
  /** undefined: nothing is known of it that leads to the target's harness. */
  homeOf(departure: Departure): Promise<Homecoming | LostWay | undefined>;
  /** The source's bytes as lines to be carried in what is made of it; undefined: there is more than is carried. */
  pack(departure: Departure, target: Target, createdAt: string): Promise<readonly string[] | undefined>;
  /** Begins to keep the source's bytes. */
  note(arrival: Arrival): Promise<Noting>;
  /** Remembers what was settled; durable when it resolves. Called before the run is committed. */
  keep(settled: readonly unknown[]): Promise<void>;
}
