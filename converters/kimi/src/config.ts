/** The person's `config.toml`; a project has none. It holds the keys of providers: nothing of those is read. */
import { pathOf, type Source, type Store } from "@asp-convert/core";
import { parseToml, readText, type TomlTable } from "@asp-convert/core/kinds";
import { CONFIG } from "./layout-state.js";

interface Looking {
  source: Source;
  environment: Parameters<typeof pathOf>[0];
}

export function configPath(
  { root }: Pick<Store, "root">,
  { environment }: Pick<Looking, "environment">,
): string {
  return pathOf(environment).join(root, CONFIG);
}

/** Empty where there is none. @throws EditError if it is no TOML */
export async function readConfig(store: Pick<Store, "root">, looking: Looking): Promise<TomlTable> {
  return parseToml((await readText(looking.source, configPath(store, looking)))?.text);
}
