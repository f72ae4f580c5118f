/** MCP servers: `mcp` of the config. What runs at an event is a plugin here, a program. */
import type {
  Action,
  Item,
  KindContext,
  KindPlan,
  KindTarget,
  McpServer,
  StateKind,
  Store,
  Tools,
} from "@asp-convert/core";
import {
  belonging,
  change,
  commandLine,
  EditError,
  hookLine,
  isForbiddenKey,
  isObject,
  type JsonEditor,
  jsonEditor,
  leave,
  legalServerName,
  lose,
  sameServer,
  withoutSecrets,
} from "@asp-convert/core/kinds";
import type { Program } from "../program.js";
import { toolFidelity } from "./fidelity.js";
import { configsOf, configToWrite, objectIn, type Place } from "./places.js";
import { readServer, writeServer } from "./servers.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;
/** The program makes tool names of it: `<server>_<tool>`. */
const LEGAL_NAME = /^[A-Za-z0-9_-]+$/;

export function tools(program: Program): StateKind<Tools> {
  return {
    read: (store, context) => read(program, store, context),
    write: (state, target) => write(program, state, target),
    fidelity: toolFidelity,
  };
}

async function read(program: Program, store: Store, context: KindContext): Promise<Tools | undefined> {
  const servers: McpServer[] = [];
  const places: Place[] = [
    ...(context.user ? [{ scope: "user" } as const] : []),
    ...context.projects.map((project) => ({ scope: "project", project }) as const),
  ];
  for (const place of places) servers.push(...(await serversOf(program, store, place, context)));
  return servers.length > 0 ? { servers, hooks: [] } : undefined;
}

async function serversOf(
  program: Program,
  store: Store,
  place: Place,
  context: KindContext,
): Promise<McpServer[]> {
  const entries = new Map<string, unknown>();
  const switches: Record<string, unknown> = {};
  for (const { value } of await configsOf(program, store, place, "tools", context)) {
    if (isObject(value.tools)) Object.assign(switches, value.tools);
    for (const [name, entry] of Object.entries(isObject(value.mcp) ? value.mcp : {})) {
      const had = entries.get(name);
      entries.set(name, isObject(had) && isObject(entry) ? { ...had, ...entry } : entry);
    }
  }
  return [...entries].flatMap(([name, entry]) => {
    const of = belonging(place, name);
    const left = (words: Parameters<typeof leave>[2]): [] => {
      context.items.push(leave(context, of, words));
      return [];
    };
    if (isForbiddenKey(name)) return left({ ...KIND, reason: "unsafe", note: "its name" });
    if (isObject(entry) && Object.keys(entry).every((key) => key === "enabled")) {
      return left({
        ...KIND,
        axis: "mcp-options",
        reason: "no-counterpart",
        note: "a switch for a server that is named elsewhere",
      });
    }
    const found = readServer(name, entry, place, program.id, switches);
    if ("invalid" in found) return left({ ...KIND, reason: "invalid-form", note: found.invalid });
    for (const note of found.left) {
      lose(context.losses, {
        ...KIND,
        axis: "mcp-options",
        level: "dropped",
        reason: "not-supported",
        item: name,
        note,
      });
    }
    return [found.server];
  });
}

async function write(program: Program, state: Tools, target: KindTarget): Promise<KindPlan> {
  const writer = new Writer(program, await jsonEditor(), target);
  const items: Item[] = [];
  for (const server of state.servers) items.push(await writer.server(server));
  for (const hook of state.hooks) {
    items.push(
      leave(target, belonging(hook, hookLine(hook)), {
        kind: "tools",
        axis: "hooks",
        reason: "no-counterpart",
        note: `in ${program.name} a plugin would do it, a program in TypeScript`,
      }),
    );
  }
  return { actions: writer.actions, items };
}

class Writer {
  readonly actions: Action[] = [];
  readonly #program: Program;
  readonly #json: JsonEditor;
  readonly #target: KindTarget;
  /** By file: the servers in it, and those planned for it. */
  readonly #known = new Map<string, Map<string, McpServer>>();

  constructor(program: Program, json: JsonEditor, target: KindTarget) {
    this.#program = program;
    this.#json = json;
    this.#target = target;
  }

  async server(server: McpServer): Promise<Item> {
    const target = this.#target;
    const { scope, project } = server._meta.asp;
    const of = belonging(server._meta.asp, server.name);
    const left = (words: Parameters<typeof leave>[2]) => leave(target, of, words);
    const folder = project === undefined ? undefined : target.projectFolder(project);
    if (project !== undefined && folder === undefined) return left({ ...KIND, reason: "no-place" });
    const path = await configToWrite(this.#program, target, folder);
    let servers: Map<string, McpServer>;
    try {
      servers = await this.#in(path);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return left({ ...KIND, reason: "invalid-form", note: `${path} ${error.message}` });
    }
    // What was private to a person goes into a file of the project: no secret may come to stand there.
    const kept = target.includeSecrets && scope !== "local" ? server : withoutSecrets(server);
    const had = servers.get(server.name);
    const isLegal = LEGAL_NAME.test(server.name);
    const same = [...servers.values()].find((one) => this.#isSame(one, server) || this.#isSame(one, kept));
    if (same && (same === had || !isLegal)) return { ...of, outcome: "present" };
    if (had && isLegal)
      return left({ ...KIND, reason: "exists", note: `another server of this name is in ${path}` });
    if (isForbiddenKey(server.name)) return left({ ...KIND, reason: "unsafe", note: "its name" });
    const name = legalServerName(server.name, LEGAL_NAME, new Set(servers.keys()));
    const written = writeServer(kept, name, this.#program.id);
    if ("impossible" in written) return left({ ...KIND, reason: "not-supported", note: written.impossible });
    if (!target.allowTools) return left({ ...KIND, reason: "consent-needed", note: commandLine(server) });
    servers.set(name, kept);
    const sets = [
      { keys: ["mcp", name], value: written.entry },
      ...Object.entries(written.tools).map(([tool, on]) => ({ keys: ["tools", tool], value: on })),
    ];
    for (const { keys, value } of sets) {
      this.actions.push({
        do: "edit",
        path,
        edit: (before) => this.#json.set(before, keys, value),
        what: keys.join("."),
        mode: folder === undefined ? 0o600 : 0o644,
      });
    }
    return this.#told(server, kept, name, path, written.lost);
  }

  async #in(path: string): Promise<Map<string, McpServer>> {
    const known = this.#known.get(path);
    if (known) return known;
    const { mcp } = (await objectIn(path, this.#target.source)) ?? {};
    const found = new Map<string, McpServer>();
    for (const [name, entry] of Object.entries(isObject(mcp) ? mcp : {})) {
      const read = readServer(name, entry, { scope: "user" }, this.#program.id);
      // What is no server takes its name all the same.
      const nobody: McpServer = { name, command: "", args: [], env: [], _meta: { asp: { scope: "user" } } };
      found.set(name, "server" in read ? read.server : nobody);
    }
    this.#known.set(path, found);
    return found;
  }

  /** A server that the program would come to hold as the one it holds is that one. */
  #isSame(had: McpServer, server: McpServer): boolean {
    if (sameServer(had, server)) return true;
    const written = writeServer(server, server.name, this.#program.id);
    const back =
      "impossible" in written
        ? undefined
        : readServer(server.name, written.entry, { scope: "user" }, this.#program.id);
    return back !== undefined && "server" in back && sameServer(had, back.server);
  }

  #told(server: McpServer, kept: McpServer, name: string, path: string, lost: readonly string[]): Item {
    const target = this.#target;
    const of = belonging(server._meta.asp, server.name);
    const changes: Item[] = [];
    const changed = (words: Parameters<typeof change>[2]) => changes.push(change(target, of, words));
    const variables = new Set((kept._meta.asp.secrets ?? []).map(({ variable }) => variable));
    if (variables.size > 0)
      changed({ ...KIND, axis: "secrets", reason: "secret", note: `set ${[...variables].join(", ")}` });
    if (name !== server.name) changed({ ...KIND, reason: "id-not-legal", note: `it is called ${name} now` });
    if (server._meta.asp.scope === "local")
      changed({
        ...KIND,
        reason: "scope-changed",
        note: `private to you before, now in ${path} of the project`,
      });
    if (lost.length > 0) changed({ ...KIND, axis: "mcp-options", reason: "no-equal", note: lost.join(", ") });
    return changes[0] ?? { ...of, outcome: "written" };
  }
}
