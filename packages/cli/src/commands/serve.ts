import type { HeldStore } from "@asp-convert/acp";
import type { Command } from "commander";
import { UsageError } from "../errors.js";
import { filled } from "../options.js";
import type { Terminal } from "../terminal.js";

interface ServeOptions {
  harness: string;
  store?: string;
  project?: string[];
  allowTools?: boolean;
  includeSecrets?: boolean;
  dropRestrictions?: boolean;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("[agent...]", "after `--`: the real ACP agent of that harness, and its arguments")
    .requiredOption("--harness <id>", "whose store it is: claude, codex … (`plugins` lists them)", filled)
    .option("--store <dir>", "the store (default: where the harness looks by itself)", filled)
    .option("--project <dir...>", "project folders whose instructions, skills, servers … belong to the state")
    .option("--allow-tools", "let MCP servers, hooks and what else would run be imported")
    .option("--include-secrets", "let literal secret values be exported and imported")
    .option(
      "--drop-restrictions",
      "import a skill or agent although the harness cannot keep what it is forbidden",
    )
    .addHelpText(
      "after",
      `
Speaks the Agent Client Protocol on standard input and output, for an editor or another client to start.

Without an agent: any client lists and reads the sessions of that store, and moves state with _asp/state/describe,
export and import. It answers no prompt.

With an agent: everything goes to it and comes from it as it is. Added are _asp/state/*, answered from the agent's own
store, and, for a prompt that comes while a turn runs, _meta.asp.busy: "queue", "interrupt", and where the agent
can, "steer". An export is refused while a turn runs.

What is imported is a receipt each: \`asp-convert undo\` takes it back. What would run comes in with --allow-tools only.

  asp-convert serve --harness claude
  asp-convert serve --harness codex -- npx @agentclientprotocol/codex-acp
  asp-convert serve --harness opencode -- opencode acp`,
    )
    .action((agent: string[], options: ServeOptions) => run(agent, options, terminal));
}

async function run(command: readonly string[], options: ServeOptions, terminal: Terminal): Promise<void> {
  const { environment, signal } = terminal;
  const [{ serveStore, startAgent, wrapAgent }, { version }, held] = await Promise.all([
    import("@asp-convert/acp"),
    import("../version.js"),
    heldStore(options, terminal),
  ]);
  const [input, output] = [process.stdin, process.stdout];
  if (command.length === 0) return serveStore({ held, input, output, version, signal });
  const agent = startAgent(command, { env: environment.env, cwd: environment.cwd });
  await started(agent.exited, command);
  const log = (text: string) => terminal.warn(`asp-convert: ${text}`);
  process.exitCode = await wrapAgent({ held, agent, input, output, log, signal });
}

async function heldStore(options: ServeOptions, terminal: Terminal): Promise<HeldStore> {
  const { absolute, registry, source, targets } = await import("../toolkit.js");
  const { environment } = terminal;
  const converter = registry.get(options.harness);
  const [own] = converter.locate(environment);
  const root = options.store === undefined ? own : absolute(options.store, terminal);
  if (root === undefined)
    throw new UsageError(`${converter.name} has no store of its own on this system`, "Use --store DIR.");
  return {
    converter,
    root,
    environment,
    source,
    projects: (options.project ?? []).map((path) => absolute(path, terminal)),
    installed: root === own,
    readOnly: !targets().includes(converter),
    allowTools: options.allowTools === true,
    includeSecrets: options.includeSecrets === true,
    dropRestrictions: options.dropRestrictions === true,
  };
}

/** A program that cannot be started says so at once; one that can is on its way. */
async function started(exited: Promise<number>, [file = ""]: readonly string[]): Promise<void> {
  const soon = new Promise<void>((resolve) => setImmediate(resolve));
  try {
    await Promise.race([exited, soon]);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!missing) throw error;
    throw new UsageError(`there is no program "${file}"`, "Give its path, or one that is on the PATH.");
  }
}
