/**
 * A native store, opened. `root` is the folder that the harness's own variable names (`CLAUDE_CONFIG_DIR`,
 * `CODEX_HOME`). `focus`: only this session file or folder was pointed at.
 * `session`: only this session of a database, by the path that a list gives it; converters need not know it. `project`: the project folder
 * whose files (AGENTS.md, .mcp.json …) belong to it.
 */
export interface Store {
  harness: string;
  root: string;
  focus?: string;
  session?: string;
  project?: string;
}
