/** Plugins named with `--plugin`, as they were typed: a command that is shown needs them again. */
export let named: readonly string[] = [];

export function remember(plugins: readonly string[]): void {
  named = plugins;
}
