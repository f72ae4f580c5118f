/** Agents that speak ACP for the real programs: how each is started in a folder of its own, against a mock model. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MockModel } from "@asp-convert/mock-model";
import { openCodeConfig, openCodeKinds } from "./opencode-store.js";
import { findProgram } from "./programs.js";
import { claudeEnvironment } from "./resume-claude.js";
import { codexEnvironment } from "./resume-codex.js";
import { openCodeEnvironment } from "./resume-opencode.js";
import type { Environment } from "./run.js";

export interface AcpAgent {
  readonly command: readonly string[];
  /** The whole environment, also of whoever looks into the agent's store. */
  readonly env: Environment;
  /** The store root, as the program's own variable names it. */
  readonly store: string;
}

export interface AcpAgentOptions {
  /** Private to this agent: its home, its temporary files, its store. It has `home` and `tmp` in it. */
  readonly folder: string;
  readonly mock: MockModel;
  /** The project. Codex must be told that it is trusted. */
  readonly cwd: string;
}

export type AcpAgentName = "opencode" | "codex" | "claude";

export const acpAgents: { readonly [name in AcpAgentName]: (options: AcpAgentOptions) => Promise<AcpAgent> } =
  {
    async opencode({ folder, mock }) {
      const home = join(folder, "home");
      const config = { ...openCodeConfig(mock), permission: { bash: "ask" } };
      return {
        command: [await findProgram("opencode"), "acp"],
        env: openCodeEnvironment(openCodeKinds.opencode, folder, home, config),
        store: join(home, ".local", "share", "opencode"),
      };
    },
    async codex({ folder, mock, cwd }) {
      const store = join(folder, "codex");
      await put(join(store, "config.toml"), codexConfig(mock.url("responses"), cwd));
      return {
        command: [await findProgram("codex-acp")],
        env: {
          ...codexEnvironment(folder, store),
          OPENAI_API_KEY: "mock",
          INITIAL_AGENT_MODE: "agent-full-access",
        },
        store,
      };
    },
    async claude({ folder, mock }) {
      const store = join(folder, "config");
      await put(
        join(store, "settings.json"),
        JSON.stringify({ permissions: { defaultMode: "default", ask: ["Bash"] } }),
      );
      return {
        command: [await findProgram("claude-agent-acp")],
        env: claudeEnvironment(folder, store, mock.url("anthropic")),
        store,
      };
    },
  };

function codexConfig(url: string, cwd: string): string {
  const text = (value: string) => JSON.stringify(value); // a JSON text is a TOML text
  return `model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.mock]
name = "mock"
base_url = ${text(url)}
wire_api = "responses"
env_key = "MOCK_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects.${text(cwd)}]
trust_level = "trusted"
`;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
