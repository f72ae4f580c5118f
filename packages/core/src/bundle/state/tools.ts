/** `tools.json` of a bundle: MCP servers as ACP takes them, and hooks. Literal secrets stay behind. */
import type { Item, KindContext, KindPlan, KindTarget, StateKind } from "../../converter/kinds.js";
import type { Store } from "../../converter/store.js";
import { belonging, change } from "../../kinds/account.js";
import { hookLine } from "../../kinds/hooks.js";
import { withoutSecrets } from "../../kinds/mcp.js";
import type { Tools } from "../../state/tools.js";
import { bundleStateFidelity } from "./fidelity.js";
import { manifestThere, readJson, writeJson } from "./files.js";

export const tools: StateKind<Tools> = { read, write, fidelity: bundleStateFidelity };

async function read(store: Store, { source }: KindContext): Promise<Tools | undefined> {
  const { Tools: schema } = await import("../../state/tools.js");
  return readJson(`${store.root}/tools.json`, schema, source);
}

async function write(state: Tools, target: KindTarget): Promise<KindPlan> {
  const servers = target.includeSecrets ? state.servers : state.servers.map(withoutSecrets);
  const items = servers.map((server): Item => {
    const of = belonging(server._meta.asp, server.name);
    const variables = (server._meta.asp.secrets ?? []).map(({ variable }) => variable);
    if (variables.length === 0) return { ...of, outcome: "written" };
    return change(target, of, {
      kind: "tools",
      axis: "secrets",
      reason: "secret",
      note: `set ${[...new Set(variables)].join(", ")}`,
    });
  });
  for (const hook of state.hooks) items.push({ ...belonging(hook, hookLine(hook)), outcome: "written" });
  return {
    actions: [manifestThere(target), writeJson(`${target.root}/tools.json`, { servers, hooks: state.hooks })],
    items,
  };
}
