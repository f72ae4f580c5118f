import type { Converter, Receipt, SessionRef, Store } from "@asp-convert/core";
import type { Command } from "commander";
import { CommandError, exit } from "../errors.js";
import type { CommonOptions, SessionOptions } from "../options.js";
import { withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";
import { json } from "../ui/json.js";
import type { NativeCheck } from "../verify/native.js";
import type { CheckedSession } from "../verify/sessions.js";
import type { Verification } from "../verify/verification.js";

interface VerifyOptions extends CommonOptions, Pick<SessionOptions, "session" | "from"> {
  native?: boolean;
  fetch?: boolean;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("<path...>", "target stores, bundles, session files, or receipts by their ids")
    .option("--session <id...>", "only these sessions")
    .option("--from <id>", "the harness it is of, where that cannot be told from the files")
    .option(
      "--native",
      "resume them in the real program against a local scripted model: no account, no tokens",
    )
    .option("--fetch", "with --native: use a private, pinned copy of the program, from npm");
  withCommon(command)
    .addHelpText(
      "after",
      `
Compares every file that a receipt tells of with the hash it was written with, and reads every session again:
each of its records must be accounted for. Exit code 1 if anything does not hold.

  asp-convert verify ./asp-out/codex
  asp-convert verify ~/.codex --native --session 0199c1de`,
    )
    .action((paths: string[], options: VerifyOptions) => run(paths, options, terminal));
}

async function run(paths: readonly string[], options: VerifyOptions, terminal: Terminal): Promise<void> {
  const { listReceipts } = await import("@asp-convert/core");
  const receipts = (await listReceipts(terminal.environment)).filter(({ state }) => state === "done");
  const results: Verification[] = [];
  const { expandGlobs } = await import("../globs.js");
  for (const path of await expandGlobs(paths, terminal))
    results.push(await verify(path, receipts, options, terminal));
  if (results.some(({ ok }) => !ok)) process.exitCode = exit.failed;
  if (options.json) return terminal.print(json({ asp: 1, verified: results }, 2));
  const { verificationLines } = await import("../ui/verification.js");
  const { standpoint } = await import("../run.js");
  const { nameOf } = await import("../toolkit.js");
  for (const result of results) {
    await terminal.print(verificationLines(result, nameOf, standpoint(terminal), terminal.out).join("\n"));
  }
}

async function verify(
  path: string,
  receipts: readonly Receipt[],
  options: VerifyOptions,
  terminal: Terminal,
): Promise<Verification> {
  const [toolkit, { checkFiles }, { checkSession }, { isInside, verifyBundle }] = await Promise.all([
    import("../toolkit.js"),
    import("../verify/files.js"),
    import("../verify/sessions.js"),
    import("@asp-convert/core"),
  ]);
  const receipt = receipts.find(({ id }) => id === path);
  const root = receipt?.roots[0] ?? path;
  const { converter, store } = await toolkit.open(root, options.from, terminal);
  const at = store.focus ?? store.root;
  const { platform } = terminal.environment;
  const within = receipts
    .filter((each) => receipt === undefined || each === receipt)
    .map((each) => ({
      ...each,
      entries: each.entries.filter((entry) => isInside(entry.path, at, platform)),
    }));
  const files = await checkFiles(within, toolkit.source, terminal.signal);
  const written = new Set(files.map((file) => file.path));
  const found = await toolkit.sessionsOf(converter, store, terminal);
  const refs = found.refs.filter(
    (ref) =>
      (options.session === undefined || options.session.some((id) => ref.id.startsWith(id))) &&
      (receipt === undefined || written.has(ref.path)),
  );
  if (refs.length === 0 && options.session) {
    throw new CommandError(`${path}: no session ${options.session.join(", ")}`, { code: "no-such-session" });
  }
  const sessions: CheckedSession[] = [];
  for (const ref of refs) sessions.push(...(await checkSession(converter, store, ref, terminal)));
  const problems = converter.container
    ? (await verifyBundle(store.root, toolkit.source, terminal.signal)).problems
    : receipt === undefined && options.session === undefined
      ? found.unreadable.map(({ path: at, reason }) => `${at}: ${reason}`)
      : [];
  const native = options.native ? await checkAllNative(converter, store, refs, options, terminal) : [];
  const ok =
    problems.length === 0 &&
    files.every(({ state }) => state === "as-written" || state === "continued") &&
    sessions.every(({ problem }) => problem === undefined) &&
    native.every((check) => check.ok);
  const archived = options.native ? refs.filter((ref) => ref.archived).length : 0;
  return { path: at, harness: converter.id, ok, files, sessions, native, archived, problems };
}

async function checkAllNative(
  converter: Converter,
  store: Store,
  refs: readonly SessionRef[],
  options: VerifyOptions,
  terminal: Terminal,
): Promise<NativeCheck[]> {
  const { canResume, checkNative } = await import("../verify/native.js");
  if (!canResume(converter)) {
    throw new CommandError(`--native does not know how to resume sessions of ${converter.name}`, {
      exit: exit.usage,
      code: "usage",
      next: converter.container
        ? "Import the bundle first, and verify the store it went into."
        : "Leave out --native, or have its converter say how it is started (sessions.resume.program).",
    });
  }
  const checks: NativeCheck[] = [];
  for (const ref of refs) {
    terminal.signal.throwIfAborted();
    // The program itself refuses to resume it, and rightly so.
    if (ref.archived) continue;
    checks.push(await checkNative(converter, store, ref, options.fetch === true, terminal));
  }
  return checks;
}
