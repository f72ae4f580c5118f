import type { StateKind } from "@asp-convert/acp/schema";
import { type Command, Option } from "commander";
import { CommandError, exit, UsageError } from "../errors.js";
import { type CommonOptions, filled, list, some, withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";

interface SwitchOptions extends CommonOptions {
  from: string;
  to: string;
  session?: string[];
  all?: boolean;
  kinds?: string[];
}

export function define(command: Command, terminal: Terminal): void {
  command
    .requiredOption("--from <command>", "command line of the agent that the state is in", filled)
    .requiredOption("--to <command>", "command line of the agent that it is to go to", filled)
    .option("--session <id...>", "these conversations: ids, or the first characters of one", some)
    .addOption(new Option("--all", "every conversation (default: the newest)").conflicts("session"))
    .option("--kinds <list>", "only these kinds (default: all that the one gives and the other takes)", list);
  withCommon(command)
    .addHelpText(
      "after",
      `
Both are ACP agents that speak the Agent State Protocol; \`serve --harness ID -- AGENT\` makes any real one so. What was
taken is shown, what was not and why, and the new id of each conversation. Then each is opened in the agent it went
to, and what it replays is compared with what was sent.

  asp-convert switch \\
    --from 'asp-convert serve --harness claude -- npx @agentclientprotocol/claude-agent-acp' \\
    --to   'asp-convert serve --harness codex -- npx @agentclientprotocol/codex-acp'`,
    )
    .action((options: SwitchOptions) => run(options, terminal));
}

async function run(options: SwitchOptions, terminal: Terminal): Promise<void> {
  const [{ AgentClient, SwitchError, switchHarness }, { version }, { switchLines }] = await Promise.all([
    import("@asp-convert/acp"),
    import("../version.js"),
    import("../ui/switch.js"),
  ]);
  const { environment, signal } = terminal;
  const kinds = options.kinds && (await kindsOf(options.kinds));
  const connect = (command: string) =>
    AgentClient.connect(command, { env: environment.env, cwd: environment.cwd, version, signal });
  const agents = await Promise.allSettled([connect(options.from), connect(options.to)]);
  const connected = agents.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  try {
    const [from, to] = agents.map((each) => {
      if (each.status === "rejected") throw each.reason;
      return each.value;
    });
    if (!from || !to) return;
    const sessions = options.all ? "all" : (options.session ?? "newest");
    const request = { from, to, sessions, cwd: environment.cwd, ...(kinds && { kinds }) } as const;
    const done = await switchHarness(request);
    if (done.taken.length === 0) process.exitCode = exit.failed;
    else if (done.proofs.some(({ problem, missing }) => problem ?? missing)) process.exitCode = exit.partly;
    if (options.json) return await terminal.print(JSON.stringify(done, undefined, 2));
    const { programName } = await import("../run.js");
    const lines = switchLines(done, options.quiet === true, programName(terminal), terminal);
    await terminal.print(lines.join("\n"));
  } catch (error) {
    if (error instanceof SwitchError) throw new CommandError(error.message, { code: "switch" });
    throw error;
  } finally {
    await Promise.all(connected.map((agent) => agent.stop()));
  }
}

async function kindsOf(names: readonly string[]): Promise<StateKind[]> {
  const { stateKindNames } = await import("@asp-convert/acp/schema");
  return names.map((name) => {
    const known = stateKindNames.find((kind) => kind === name);
    if (known === undefined)
      throw new UsageError(`there is no kind "${name}"`, `Kinds: ${stateKindNames.join(", ")}`);
    return known;
  });
}
