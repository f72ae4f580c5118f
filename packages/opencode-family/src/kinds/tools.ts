/** MCP servers: `mcp` of the config. What runs at an event is a plugin here, a program. */
import type {
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
  hookLine,
  isForbiddenKey,
  isObject,
  jsonEditor,
  leave,
  lose,
  ServerWriter,
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
  const json = await jsonEditor();
  const writer = new ServerWriter(
    {
      legalName: LEGAL_NAME,
      fileOf: (project) => configToWrite(program, target, project),
      entriesIn: async (file) => (await objectIn(file, target.source))?.mcp,
      read: (name, entry) => {
        const read = readServer(name, entry, { scope: "user" }, program.id);
        return "server" in read ? read.server : undefined;
      },
      write: (server, name) => writeServer(server, name, program.id),
      edits: (name, { entry, tools: switches }) =>
        [
          { keys: ["mcp", name], value: entry },
          ...Object.entries(switches).map(([tool, on]) => ({ keys: ["tools", tool], value: on })),
        ].map(({ keys, value }) => ({
          edit: (before) => json.set(before, keys, value),
          what: keys.join("."),
        })),
    },
    target,
  );
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
