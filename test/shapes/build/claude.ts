/** Claude Code records for the shapes: small, but with every field that 2.1.197 and 2.1.332 need to resume. */

export interface Options {
  session?: string;
  cwd?: string;
  version?: string;
  /** ms between two records. */
  step?: number;
}

type Fields = Readonly<Record<string, unknown>>;

const START = Date.UTC(2026, 10, 3, 9, 0, 0);

/** A transcript in the making. Each method adds one record, chained to the last one, and gives back its uuid. */
export class ClaudeLines {
  readonly session: string;
  readonly lines: string[] = [];
  last: string | null = null;
  readonly #cwd: string;
  readonly #version: string;
  readonly #step: number;
  #count = 0;
  #now = START;

  constructor({
    session = "5a000000-0000-4000-8000-000000000001",
    cwd = "/home/dev/demo",
    version = "2.1.332",
    step = 1000,
  }: Options = {}) {
    this.session = session;
    this.#cwd = cwd;
    this.#version = version;
    this.#step = step;
  }

  /** The uuid that the next record will get. */
  get next(): string {
    return `5b${this.session.slice(2, 8)}-0000-4000-8000-${String(this.#count + 1).padStart(12, "0")}`;
  }

  get time(): string {
    return new Date(this.#now).toISOString();
  }

  /** A side record, or anything else: as it is. */
  raw(record: unknown): void {
    this.lines.push(typeof record === "string" ? record : JSON.stringify(record));
  }

  chain(type: string, fields: Fields): string {
    const uuid = this.next;
    this.#count++;
    this.#now += this.#step;
    const common = {
      parentUuid: this.last,
      isSidechain: false,
      userType: "external",
      entrypoint: "cli",
      cwd: this.#cwd,
      sessionId: this.session,
      version: this.#version,
      gitBranch: "main",
      type,
      uuid,
      timestamp: this.time,
    };
    this.raw({ ...common, ...fields });
    this.last = typeof fields.uuid === "string" ? fields.uuid : uuid;
    return this.last;
  }

  user(content: unknown, fields: Fields = {}): string {
    return this.chain("user", { message: { role: "user", content }, ...fields });
  }

  /** One block, as the program writes it; `id` joins several to one message. */
  assistant(block: unknown, id = `msg_${this.#count + 1}`, fields: Fields = {}): string {
    const blocks = Array.isArray(block) ? block : [block];
    const calls = blocks.some((one: unknown) => typeof one === "object" && one !== null && "name" in one);
    return this.chain("assistant", {
      message: {
        id,
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: blocks,
        stop_reason: calls ? "tool_use" : "end_turn",
        stop_sequence: null,
        usage: {
          input_tokens: 10,
          output_tokens: 5,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        },
      },
      ...fields,
    });
  }

  call(id: string, input: unknown = { command: "ls" }, message?: string, name = "Bash"): string {
    return this.assistant({ type: "tool_use", id, name, input }, message);
  }

  result(id: string, content: unknown, fields: Fields = {}): string {
    return this.user([{ tool_use_id: id, type: "tool_result", content }], {
      toolUseResult: { stdout: String(content), stderr: "", interrupted: false },
      ...fields,
    });
  }

  text(end = "\n"): string {
    return this.lines.map((line) => line + end).join("");
  }
}

export const say = (text: string) => ({ type: "text", text });

/** The folder name that Claude Code makes of a working directory (short ones). */
export const slug = (cwd: string) => cwd.replace(/[^A-Za-z0-9]/g, "-");

/** Where a session of a store lies. */
export const transcriptPath = (lines: ClaudeLines, folder = slug("/home/dev/demo")) =>
  `config/projects/${folder}/${lines.session}.jsonl`;
