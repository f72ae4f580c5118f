/** Names of methods, ours and those of ACP that we look into. */
export const aspMethods = {
  describe: "_asp/state/describe",
  export: "_asp/state/export",
  import: "_asp/state/import",
} as const;

export const acpMethods = {
  initialize: "initialize",
  authenticate: "authenticate",
  newSession: "session/new",
  load: "session/load",
  resume: "session/resume",
  list: "session/list",
  close: "session/close",
  delete: "session/delete",
  prompt: "session/prompt",
  cancel: "session/cancel",
  update: "session/update",
  permission: "session/request_permission",
  /** De facto: claude-agent-acp and codex-acp have it, and say so in `_meta.steering.supported`. */
  steering: "_session/steering",
  cancelRequest: "$/cancel_request",
} as const;

/** The stable version; in the next one a prompt's answer no longer says that the turn is over. */
export const PROTOCOL_VERSION = 1;
