/** Lines of a transcript: the frame that every record of the chain has, ids and times. */
import { TextPieces, uuidFrom } from "@asp-convert/core";
import { VERSION } from "../version.js";

export interface Frame {
  sessionId: string;
  cwd: string;
  gitBranch: string;
  /** Set for a subagent's own file. */
  agentId?: string | undefined;
}

export class Lines {
  readonly #frame: Frame;
  #cwd: string;
  readonly #bytes = new TextPieces();
  readonly #start: number;
  #last: number;
  #newest = Number.NEGATIVE_INFINITY;
  #count = 0;
  /** Beginnings of the uuids given so far, as numbers: enough to tell a second use of one. */
  readonly #given = new Set<number>();
  /** The newest record of the chain. */
  parent: string | null = null;
  /** Set: what is given stands in the file already, under this uuid, and is not written again. */
  standing: string | undefined;

  /** @param start ms since 1970: for records before the first known time. */
  constructor(frame: Frame, start: number) {
    this.#frame = frame;
    this.#cwd = frame.cwd;
    this.#start = start - 1;
    this.#last = this.#start;
  }

  /** ms since 1970 of the newest record. */
  get time(): number {
    return Math.max(this.#newest, this.#last);
  }

  set cwd(cwd: string) {
    this.#cwd = cwd;
  }

  /** What follows is older than what is written: its own times count. `time` stays that of the newest. */
  restart(): void {
    this.#newest = this.time;
    this.#last = this.#start;
  }

  /** What there is to write so far. */
  take(): readonly Buffer[] {
    return this.#bytes.take();
  }

  end(): readonly Buffer[] {
    return this.#bytes.end();
  }

  /** A record outside the chain. */
  side(record: Readonly<Record<string, unknown>>): void {
    this.#line(record);
  }

  /**
   * A record of the chain after the newest one. Its uuid is made of `seed`, its time is the given one or the
   * next millisecond after the record before it.
   * @returns its uuid, and by how many ms its time had to be put later.
   */
  chain(
    seed: string,
    time: string | undefined,
    record: Readonly<Record<string, unknown>>,
    root?: { logicalParentUuid: string | null },
  ): { uuid: string; late: number; repaired: boolean } {
    const { sessionId, gitBranch, agentId } = this.#frame;
    const uuid = this.standing ?? this.#uuid(seed);
    const wanted = time === undefined ? Number.NaN : Date.parse(time);
    const ms = Number.isNaN(wanted) ? this.#last + 1 : Math.max(wanted, this.#last + 1);
    this.#last = ms;
    if (this.standing !== undefined) {
      this.#given.add(start(uuid));
      this.parent = uuid;
      return { uuid, late: 0, repaired: false };
    }
    const repaired = this.#line({
      parentUuid: root ? null : this.parent,
      ...(root && root.logicalParentUuid !== null && { logicalParentUuid: root.logicalParentUuid }),
      isSidechain: agentId !== undefined,
      ...(agentId !== undefined && { agentId }),
      ...record,
      uuid,
      timestamp: new Date(ms).toISOString(),
      userType: "external",
      entrypoint: "cli",
      cwd: this.#cwd,
      sessionId,
      version: VERSION,
      gitBranch,
    });
    this.parent = uuid;
    return { uuid, late: Number.isNaN(wanted) ? 0 : ms - wanted, repaired };
  }

  /** The uuid that a seed gives, if it was given to a record. */
  known(seed: string): string | undefined {
    const uuid = this.#seeded(seed);
    return this.#given.has(start(uuid)) ? uuid : undefined;
  }

  /** The uuid that a seed is about to give. */
  next(seed: string): string {
    return this.#seeded(seed);
  }

  #uuid(seed: string): string {
    let uuid = this.#seeded(seed);
    while (this.#given.has(start(uuid))) uuid = this.#seeded(`${seed} ${++this.#count}`);
    this.#given.add(start(uuid));
    return uuid;
  }

  #seeded(seed: string): string {
    return uuidFrom(`${this.#frame.sessionId} ${this.#frame.agentId ?? ""} ${seed}`);
  }

  /** True if half of a surrogate pair had to be replaced: no vendor takes it. */
  #line(record: Readonly<Record<string, unknown>>): boolean {
    if (this.standing !== undefined) return false;
    const line = JSON.stringify(record);
    const whole = line.includes("\\ud")
      ? line.replace(HALF, (hit) => (hit === "\\\\" ? hit : "\ufffd"))
      : line;
    this.#bytes.add(whole);
    this.#bytes.add("\n");
    return whole !== line;
  }
}

/** An escaped backslash, passed over, or half of a pair, which `JSON.stringify` writes as an escape. */
const HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/** 28 bits: a small integer. */
function start(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 7), 16);
}
