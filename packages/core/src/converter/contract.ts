/**
 * The converter contract: what a harness adapter is. Read `converters/claude/src/index.ts` beside it.
 * A converter gets files through a `Source` only and gives back plans only; it never touches the disk.
 */
import type { FidelityTable } from "../fidelity/axes.js";
import type { LossLedger } from "../fidelity/ledger.js";
import type { Environment } from "../io/paths.js";
import type { Source, SourceError } from "../io/source.js";
import type { Action } from "../pipeline/plan.js";
import type { SessionEvent } from "../session/event.js";
import type { StateKinds } from "./kinds.js";
import type { Store } from "./store.js";
import { CONTRACT } from "./version.js";

export type { Store };

/** What `asp-convert PATH` was pointed at. `head`: the first 64 KiB of a file; `entries`: a folder's names. */
export interface Candidate {
  path: string;
  kind: "file" | "directory";
  head: Uint8Array;
  entries: readonly string[];
  source: Source;
}

/** One native file that a session lies in: its bytes are the session's evidence (L0). */
export interface EvidenceFile {
  /** Absolute. */
  path: string;
  /** Relative to the store's root, with `/`; where a verbatim replay puts it. */
  relative: string;
  /** `transcript`: index 0, the session itself. `companion`: side files. `ancestor`: of a session it needs. */
  role: "transcript" | "companion" | "ancestor";
  /** The file is packed: offsets in events are those of what it unpacks to. The file's own bytes are the evidence. */
  encoding?: "zstd";
}

/** How a session is related to another one of the same store. */
export interface ParentLink {
  id: string;
  relation: "fork" | "subagent" | "resume";
  toolCallId?: string;
}

/** A session as a list shows it. Everything but id, path and files may be absent in the source. */
export interface SessionRef {
  harness: string;
  /** The native session id. */
  id: string;
  /**
   * Where ids are unique only within one store (numbers, dates): what tells this one from others, mostly its root.
   * Absent: an id names one session, wherever it lies.
   */
  store?: string;
  /** Of the transcript (or the database). */
  path: string;
  files: readonly EvidenceFile[];
  title?: string;
  /** `user`: someone named it. `agent`: the program did. `prompt`: the first words of the first prompt. */
  titleFrom?: "user" | "agent" | "prompt";
  cwd?: string;
  git?: { branch?: string; commit?: string; repository?: string };
  /** ISO 8601: of the first and the last thing said. */
  createdAt?: string;
  updatedAt?: string;
  /** The times are those of the file, for want of others. */
  timesInferred?: boolean;
  /** Bytes, over all its own files. */
  size: number;
  /** Messages on the active branch in which person or agent says something, as `countOf` counts them. */
  messages?: number;
  model?: string;
  harnessVersion?: string;
  archived?: boolean;
  parent?: ParentLink;
  /** Subagent sessions that belong to this one, written and moved with it. */
  children: readonly SessionRef[];
}

export interface ReadContext {
  source: Source;
  environment: Environment;
  ledger: LossLedger;
  signal?: AbortSignal;
}

/** What a list is made with. */
export interface ListContext extends Omit<ReadContext, "ledger"> {
  /**
   * Told of each file or folder that is, or may hold, a session and cannot be read; the list goes on without it.
   * Absent: the first one is thrown, so that nobody takes a part for the whole. @see unlessUnreadable
   */
  onUnreadable?: (error: SourceError) => void;
}

/** A session on its way to a writer: its header, and its events once. */
export interface SessionInput {
  ref: SessionRef;
  /** sha256 of the transcript's bytes where known beforehand (a bundle); else made while reading. */
  events: () => AsyncIterable<SessionEvent>;
  ledger: LossLedger;
  children: readonly SessionInput[];
  /** Lines of text that are to be carried in records which the program ignores. @see SessionsKind.carried */
  carried?: readonly string[];
  /** For others to see: the native bytes must not go along. */
  shared?: boolean;
  /** Reads the files that `ref` names (its evidence), for a writer that carries them along. Absent: `target.source`. */
  source?: Source;
}

/** Where a writer is to write. */
export interface Target {
  /** The store root. */
  root: string;
  environment: Environment;
  /** For looking at what is there already. */
  source: Source;
  /** Re-home: use this working directory instead of the session's own. */
  cwd?: string;
  /**
   * From 0; raised when the id it would give is taken by something else. Ids are made from the source
   * session's id and this number, so that the same conversion gives the same ids.
   */
  copy: number;
  /** One session as a file that the program takes in by itself (`SessionsKind.file`); then nothing goes below `root`. */
  file?: string;
}

/** What a writer would do for one session. Contents are streams: nothing is read before they are pulled. */
export interface SessionPlan {
  /** The id of the session in the target. */
  id: string;
  cwd?: string;
  actions: readonly Action[];
  children: readonly SessionPlan[];
}

export interface Need {
  what: string;
  /** Why it is refused, for a person; undefined if it is there. */
  missing: (ref: SessionRef) => string | undefined;
}

export interface SessionsKind {
  /**
   * Newest first is not required. Cheap: no message is parsed that need not be. Children inside their parents.
   * What cannot be read is told to `context.onUnreadable`.
   */
  list(store: Store, context: ListContext): AsyncIterable<SessionRef>;
  /**
   * The events of one session (not of its children). Every native record calls `ledger.record()` and is
   * named in the `origin` of at least one event; what is not understood becomes `unknown.observed`.
   * @throws SourceError; any other error is a bug.
   */
  read(ref: SessionRef, context: ReadContext): AsyncIterable<SessionEvent>;
  /**
   * Plans a session in this harness's own form. Each event is given to `ledger.mapped` or `ledger.leave`,
   * at the latest when the plan's contents have been pulled.
   * @throws RefusedError when a resume need is not met.
   */
  write(input: SessionInput, target: Target): Promise<SessionPlan>;
  /**
   * Plans the same session's own bytes in another store of this harness: verbatim under its own id
   * (`target.copy` 0 and no new `cwd`), else as a copy under a new id with nothing else changed. Where a side file
   * names others of the store by absolute paths, it names those of the new store.
   */
  replay(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan>;
  /**
   * Plans a session of this harness that was continued elsewhere: `base`'s own bytes, every one as it is, and after
   * them records of what `input` tells. Under its own id (`target.copy` 0), else under a new one where no byte of
   * the transcript need change for that. `input.ref` is the session as it stands elsewhere; its children are those
   * that `base` does not hold. Absent: what comes back is written anew.
   */
  extend?(base: SessionInput, input: SessionInput, target: Target): Promise<SessionPlan>;
  /**
   * The lines that `write` was given as `input.carried`, in order, out of a session's file: also after the program went
   * on in it. Absent: nothing is carried in its sessions.
   */
  carried?(ref: SessionRef, context: Pick<ReadContext, "source" | "environment">): AsyncIterable<string>;
  fidelity: { read: FidelityTable; write: FidelityTable };
  resume: {
    needs: readonly Need[];
    /** The command line that resumes, without a shell. */
    command: (id: string, cwd: string | undefined) => readonly string[];
    /** How to point the program at a store root that is not its default one. */
    variable: string;
    /** What to set where that is not the root itself, or not all. Absent: `variable` to the root. */
    variables?: (root: string, environment: Environment) => Readonly<Record<string, string>>;
    /**
     * How the real program goes on with a session without a person and without an account: `verify --native` and
     * the conformance kit see by it what the program sends to its model. Absent: that cannot be seen.
     */
    program?: Program;
  };
  /**
   * A program that takes a session in from a file of its own form: how such a file's name ends, and the command. The
   * writer then makes that of a session where `target.file` is given, children each in a file beside it. Absent: it
   * takes none.
   */
  file?: { extension: string; command: (path: string) => readonly string[] };
  /**
   * For a store whose refs name paths that are on no disk (a bundle, a database): the source in which they are
   * files. Absent: the source itself.
   */
  view?(store: Store, source: Source): Promise<Source>;
  /** Where our own data may travel in a store of this harness without reaching its model; a sentence. */
  carrier: string;
}

/** A real program, to be run against a scripted model on this machine (`@asp-convert/mock-model`). */
export interface Program {
  /** The API that it asks its model by: Anthropic's Messages, OpenAI's Responses or Chat Completions, Gemini's. */
  dialect: "anthropic" | "responses" | "chat" | "gemini";
  /** Its file's name, as on the PATH. Absent: the first word of `command`. */
  name?: string;
  /** Makes nothing: it is asked more than once. */
  start(at: ProgramPlace): ProgramStart;
}

/** What a program is started with: all folders are its own, made for this run and removed after it. */
export interface ProgramPlace {
  /** The store's root, with nothing but the session in it. */
  root: string;
  /** The native id of the session. */
  session: string;
  /** The folder that the session is of: there, and empty. The program is started in it. */
  cwd: string;
  /** The home folder: there, and empty. */
  home: string;
  /** What to say to it: it must reach the model as it is. */
  prompt: string;
  /** The base URL of the model, as a client of that dialect is given it. It takes any key and any name of a model. */
  url: string;
}

export interface ProgramStart {
  args: readonly string[];
  /** Besides `variable` (or `variables`), HOME and PATH; nothing else of the caller's is handed on. */
  env?: Readonly<Record<string, string>>;
  /** What must be there before it starts, its settings say: path → text. Relative: to `root`. */
  files?: Readonly<Record<string, string>>;
}

export interface Converter extends StateKinds {
  /** The contract it was written for; `defineConverter` knows. */
  readonly contract: number;
  /** Short and stable: `claude`, `codex`. */
  id: string;
  /** As people write it: `Claude Code`. */
  name: string;
  /** No program's own store but a wrapping: sessions keep their harness and their ids in it, and are not resumed from it. */
  container?: boolean;
  /** Versions of the real program that the facts were measured on, newest first. */
  verified: readonly string[];
  /** What could not be tried in the real program (for want of an account, say): a sentence, told wherever it is chosen. */
  experimental?: string;
  /** Why nothing is written to it: a sentence. Set by `defineReader`; the writing half of `sessions` then refuses. */
  readOnly?: string;
  /**
   * How sure it is that a path is a store, project, or session of this harness: 0 (no) to 100 (certain).
   * Looks only at `candidate`, bounded. @see probe.ts
   */
  probe(candidate: Candidate): number | Promise<number>;
  /** Store roots on this machine, whether they exist or not; the harness's own variable first. */
  locate(environment: Environment): readonly string[];
  /** Folders beside a store root that hold files of it: Claude Code's `~/.claude.json` stands beside `~/.claude`. */
  alsoWrites?(root: string, environment: Environment): readonly string[];
  /** Makes a store of a path that `probe` recognised. */
  open(path: string, source: Source, environment: Environment): Promise<Store>;
  sessions: SessionsKind;
}

/** The target cannot resume what it would get; nothing was written. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** Declares a converter: everything it does is named in its argument. */
export function defineConverter(converter: Omit<Converter, "contract">): Converter {
  return { ...converter, contract: CONTRACT };
}
