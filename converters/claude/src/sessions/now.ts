/** What the settings are at the moment; events tell when they change. */
export interface Now {
  model?: string | undefined;
  mode?: string | undefined;
  effort?: string | undefined;
  cwd?: string | undefined;
}
