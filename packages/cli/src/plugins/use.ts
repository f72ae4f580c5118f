/** What stands between a command and its converters: plugins are found, loaded, told of. */
import type { Terminal } from "../terminal.js";
import type { Broken, PluginOptions } from "./find.js";
import type { Plugin } from "./load.js";
import { remember } from "./named.js";

/** The plugins of this run. */
export let plugins: readonly Plugin[] = [];
export let broken: readonly Broken[] = [];
/** Finds and loads what the person and their project name, once, before the command begins. */
export async function usePlugins(
  options: PluginOptions,
  paths: readonly string[],
  terminal: Terminal,
): Promise<void> {
  remember(options.plugin ?? []);
  const { findPlugins } = await import("./find.js");
  const found = await findPlugins(options, paths, terminal);
  if (found.leftAlone !== undefined) {
    const { pastePath } = await import("../run.js");
    terminal.say(
      `asp-convert: plugins of ${found.leftAlone} are not loaded, since it is what is converted; ` +
        `to have one: --plugin ${pastePath(found.leftAlone, terminal)}/…`,
    );
  }
  if (found.named.length + found.held.length + found.broken.length === 0) return;
  const [{ loadPlugins }, { blamed }, toolkit, { oneLine }] = await Promise.all([
    import("./load.js"),
    import("./blame.js"),
    import("../toolkit.js"),
    import("../ui/text.js"),
  ]);
  const taken = new Map(toolkit.registry.all.map(({ id }) => [id, "built in"]));
  const loaded = await loadPlugins(found, taken);
  plugins = loaded.plugins;
  broken = loaded.broken;
  toolkit.addConverters(plugins.map(({ converter }) => blamed(converter)));
  for (const { name, problem } of broken)
    terminal.warn(`asp-convert: plugin ${oneLine(name)} is left out: ${oneLine(problem)}`);
}
