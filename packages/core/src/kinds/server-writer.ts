/**
 * MCP servers into a program that keeps them by name in one file of the person's and one of each project. Whether a
 * server may go over, under which name and without which secrets is decided here, for all such programs alike.
 */
import type { Item, KindTarget } from "../converter/kinds.js";
import type { StateAxis } from "../fidelity/axes.js";
import type { EditAction } from "../pipeline/plan.js";
import type { McpServer } from "../state/tools.js";
import { belonging, change, type LossWords, leave } from "./account.js";
import { EditError, isForbiddenKey } from "./edit/error.js";
import { commandLine, legalServerName, sameServer, withoutSecrets } from "./mcp.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;

type Words = Pick<LossWords, "reason" | "note"> & { axis?: StateAxis };

/** A server as a program has it. */
export interface WrittenServer {
  entry: unknown;
  /** What there is no word for. */
  lost: readonly string[];
  /** Variables that stand there with the value they have now. */
  resolved?: readonly string[];
}

export interface ServerForm<W extends WrittenServer> {
  /** The names that the program offers tools of. */
  legalName: RegExp;
  /** @param project - its folder; undefined: the person's file */
  fileOf(project: string | undefined): string | Promise<string>;
  /** What the file has by name. @throws EditError if it cannot be read */
  entriesIn(file: string): Promise<unknown>;
  /** undefined for what is no server. */
  read(name: string, entry: unknown): McpServer | undefined;
  write(server: McpServer, name: string): W | { impossible: string };
  edits(name: string, written: W): Pick<EditAction, "edit" | "what">[];
}

export class ServerWriter<W extends WrittenServer> {
  readonly actions: EditAction[] = [];
  readonly #form: ServerForm<W>;
  readonly #target: KindTarget;
  /** By file: the servers in it, and those planned for it. */
  readonly #known = new Map<string, Map<string, McpServer>>();

  constructor(form: ServerForm<W>, target: KindTarget) {
    this.#form = form;
    this.#target = target;
  }

  /** Plans it, or says why not. */
  async server(server: McpServer): Promise<Item> {
    const [form, target] = [this.#form, this.#target];
    const { scope, project } = server._meta.asp;
    const of = belonging(server._meta.asp, server.name);
    const left = (words: Words) => leave(target, of, { ...KIND, ...words });
    const folder = project === undefined ? undefined : target.projectFolder(project);
    if (project !== undefined && folder === undefined) return left({ reason: "no-place" });
    const file = await form.fileOf(folder);
    let servers: Map<string, McpServer>;
    try {
      servers = await this.#in(file);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return left({ reason: "invalid-form", note: `${file} ${error.message}` });
    }
    // What was private to a person goes into a file of the project: no secret may come to stand there.
    const kept = target.includeSecrets && scope !== "local" ? server : withoutSecrets(server);
    const had = servers.get(server.name);
    const isLegal = form.legalName.test(server.name);
    const same = [...servers.values()].find((one) => this.#isSame(one, server) || this.#isSame(one, kept));
    if (same && (same === had || !isLegal)) return { ...of, outcome: "present" };
    if (had && isLegal) return left({ reason: "exists", note: `another server of this name is in ${file}` });
    if (isForbiddenKey(server.name)) return left({ reason: "unsafe", note: "its name" });
    const name = legalServerName(server.name, form.legalName, new Set(servers.keys()));
    const written = form.write(kept, name);
    if ("impossible" in written) return left({ reason: "not-supported", note: written.impossible });
    if (!target.allowTools) return left({ reason: "consent-needed", note: commandLine(server) });
    servers.set(name, kept);
    const mode = folder === undefined ? 0o600 : 0o644;
    for (const step of form.edits(name, written))
      this.actions.push({ do: "edit", path: file, ...step, mode });
    return this.#told(server, kept, name, file, written);
  }

  async #in(file: string): Promise<Map<string, McpServer>> {
    const known = this.#known.get(file);
    if (known) return known;
    const entries = await this.#form.entriesIn(file);
    const found = new Map<string, McpServer>();
    for (const [name, entry] of Object.entries(typeof entries === "object" && entries ? entries : {})) {
      // What is no server takes its name all the same.
      const nobody: McpServer = { name, command: "", args: [], env: [], _meta: { asp: { scope: "user" } } };
      found.set(name, this.#form.read(name, entry) ?? nobody);
    }
    this.#known.set(file, found);
    return found;
  }

  /** A server that the program would come to hold as the one it holds is that one. */
  #isSame(had: McpServer, server: McpServer): boolean {
    if (sameServer(had, server)) return true;
    const written = this.#form.write(server, server.name);
    const back = "impossible" in written ? undefined : this.#form.read(server.name, written.entry);
    return back !== undefined && sameServer(had, back);
  }

  #told(server: McpServer, kept: McpServer, name: string, file: string, { lost, resolved = [] }: W): Item {
    const of = belonging(server._meta.asp, server.name);
    const changes: Item[] = [];
    const changed = (words: Words) => changes.push(change(this.#target, of, { ...KIND, ...words }));
    const variables = new Set((kept._meta.asp.secrets ?? []).map(({ variable }) => variable));
    if (variables.size > 0)
      changed({ axis: "secrets", reason: "secret", note: `set ${[...variables].join(", ")}` });
    if (name !== server.name) changed({ reason: "id-not-legal", note: `it is called ${name} now` });
    if (server._meta.asp.scope === "local")
      changed({ reason: "scope-changed", note: `private to you before, now in ${file}` });
    if (resolved.length > 0)
      changed({
        axis: "mcp-options",
        reason: "re-encoded",
        note: `filled in as they are now: ${resolved.join(", ")}`,
      });
    if (lost.length > 0) changed({ axis: "mcp-options", reason: "no-equal", note: lost.join(", ") });
    return changes[0] ?? { ...of, outcome: "written" };
  }
}
