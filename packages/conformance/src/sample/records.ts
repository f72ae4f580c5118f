/**
 * The native records of "sample", a harness that does not exist: one JSON object a line, told apart by `kind`.
 * It is small enough to be read at once, and serves as the kit's own test subject and as a target for others.
 */
import type {
  Block,
  InjectedBy,
  ParentLink,
  Payloads,
  Role,
  SessionRef,
  SettingValues,
  Usage,
} from "@asp-convert/core";

export const VERSION = "1.4.0";

/** The first line of a session. */
export interface Head {
  kind: "head";
  id: string;
  at?: string;
  dir?: string;
  name?: string;
  git?: NonNullable<SessionRef["git"]>;
  model?: string;
  version: string;
  parent?: ParentLink;
  /** Our own: where a converted session came from. Sample ignores keys it does not know. */
  from?: { harness: string; id: string };
}

export interface Said {
  kind: "said";
  id: string;
  at?: string;
  by: Role;
  parts: Block[];
  model?: string;
  usage?: Usage;
  stop?: string;
  as?: "summary" | "queued";
  why?: InjectedBy;
  for?: ("user" | "assistant")[];
  shown?: string;
}

export interface Result {
  kind: "result";
  call: string;
  at?: string;
  parts: Block[];
  failed: boolean;
  /** Made up: the call was interrupted. */
  madeUp?: boolean;
}

/** From here on the model is sent `keep` and what follows; without `keep`, nobody knows. */
export interface Cut {
  kind: "cut";
  at?: string;
  by?: "manual" | "auto";
  keep?: (Said | Result)[];
}

export interface Turn {
  kind: "turn";
  id: string;
  at?: string;
  ends?: "completed" | "failed" | "cancelled";
  error?: string;
  usage?: Usage;
}

export type SampleRecord =
  | Head
  | Said
  | Result
  | Cut
  | Turn
  | { kind: "name"; at?: string; name: string; by?: "user" | "agent" }
  | { kind: "set"; at?: string; values: SettingValues }
  | { kind: "back"; at?: string; turns: number }
  | { kind: "todo"; at?: string; items: Payloads["task.updated"]["plan"] };
