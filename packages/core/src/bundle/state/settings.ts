/** `settings.json` of a bundle: options by id, and permission rules. Literal secrets stay behind. */
import type { Item, KindContext, KindPlan, KindTarget, StateKind } from "../../converter/kinds.js";
import type { Store } from "../../converter/store.js";
import { belonging, leave } from "../../kinds/account.js";
import { looksSecret } from "../../kinds/secrets.js";
import type { Setting, Settings } from "../../state/settings.js";
import { bundleStateFidelity } from "./fidelity.js";
import { manifestThere, readJson, writeJson } from "./files.js";

export const settings: StateKind<Settings> = { read, write, fidelity: bundleStateFidelity };

async function read(store: Store, { source }: KindContext): Promise<Settings | undefined> {
  const { Settings: schema } = await import("../../state/settings.js");
  return readJson(`${store.root}/settings.json`, schema, source);
}

async function write(state: Settings, target: KindTarget): Promise<KindPlan> {
  const items: Item[] = [];
  const options: Setting[] = [];
  for (const option of state.options) {
    const of = belonging(option, option.id);
    const secret =
      typeof option.value === "string" && looksSecret(option.id.replace(/^env\./, ""), option.value);
    if (secret && !target.includeSecrets)
      items.push(leave(target, of, { kind: "settings", axis: "secrets", reason: "secret" }));
    else {
      options.push(option);
      items.push({ ...of, outcome: "written" });
    }
  }
  for (const rule of state.permissions ?? [])
    items.push({ ...belonging(rule, `${rule.effect} ${rule.rule}`), outcome: "written" });
  return {
    actions: [manifestThere(target), writeJson(`${target.root}/settings.json`, { ...state, options })],
    items,
  };
}
