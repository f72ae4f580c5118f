/** Factory Droid: everything this converter does. */
import { type Converter, defineConverter, lazyCall, lazyEach } from "@asp-convert/core";
import * as fidelity from "./fidelity.js";
import { HOME_VARIABLE, homeOf, storeRoots } from "./layout.js";
import { open, probe } from "./probe.js";
import { VERIFIED } from "./version.js";

const unread = {
  absent: "it has them; this converter reads its sessions only so far",
  unread: true,
} as const;

const droid: Converter = defineConverter({
  id: "droid",
  name: "Factory Droid",
  verified: VERIFIED,
  experimental:
    "taken up with `droid exec --fork` and a model of one's own; its own screen and `--resume` want an account, and were not tried",
  probe,
  locate: storeRoots,
  open,
  sessions: {
    list: lazyEach(async () => (await import("./sessions/list.js")).listSessions),
    read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
    write: lazyCall(async () => (await import("./sessions/write.js")).writeSession),
    replay: lazyCall(async () => (await import("./sessions/replay.js")).replaySession),
    fidelity: { read: fidelity.read, write: fidelity.write },
    resume: {
      needs: [
        {
          what: "a working directory",
          missing: ({ cwd, parent }) =>
            cwd || parent?.relation === "subagent"
              ? undefined
              : "the source does not say which folder it was in; give one with --cwd",
        },
      ],
      command: (id) => ["droid", "--resume", id],
      variable: HOME_VARIABLE,
      variables: (root, environment) => ({ [HOME_VARIABLE]: homeOf(root, environment) }),
      program: {
        dialect: "chat",
        // A fork reads the file that is here; `--session-id` asks Factory's servers for the session first.
        start: ({ session, prompt, url }) => ({
          args: ["exec", "-m", "custom:Mock-0", "--fork", session, prompt],
          files: { ".factory/settings.json": settingsFor(url) },
        }),
      },
    },
    carrier:
      "the key `asp` on records: Factory Droid keeps it, also in a fork, and never sends it to its model",
  },
  instructions: unread,
  skills: unread,
  tools: unread,
  memory: { absent: "none was found: it keeps its instructions in AGENTS.md" },
  settings: unread,
});

export default droid;

/** A model of one's own, as the program's settings name it: then it wants no account. */
function settingsFor(url: string): string {
  const model = {
    ...{
      id: "custom:Mock-0",
      model: "mock-model",
      displayName: "Mock",
      apiKey: "mock",
      maxOutputTokens: 4000,
    },
    ...{ provider: "generic-chat-completion-api", baseUrl: url, noImageSupport: false },
  };
  return JSON.stringify({ customModels: [model], cloudSessionSync: false });
}
