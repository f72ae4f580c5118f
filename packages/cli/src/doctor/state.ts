/** What asp-convert itself keeps: receipts, the log, the index of texts. */
import { leftoversIn, stateFolder } from "@asp-convert/core";
import { checkLog } from "@asp-convert/store";
import { indexPath, SearchIndex } from "../search/index-file.js";
import type { Terminal } from "../terminal.js";
import { source } from "../toolkit.js";
import { logIn } from "../trail.js";
import type { Problem, StateFinding } from "./findings.js";

export async function lookAtState(
  terminal: Terminal,
  tell: (problem: Problem) => void,
): Promise<StateFinding> {
  const folder = stateFolder(terminal.environment);
  const finding: StateFinding = { folder, receipts: 0, unfinished: 0, locks: 0 };
  const attempt = async (about: string, next: string, look: () => Promise<void> | void) => {
    try {
      await look();
    } catch (error) {
      terminal.signal.throwIfAborted();
      tell({ level: "problem", about, text: error instanceof Error ? error.message : String(error), next });
    }
  };
  const info = await source.stat(folder).catch(() => undefined);
  if (info && terminal.environment.platform !== "win32" && (info.mode & 0o077) !== 0)
    tell({ level: "note", about: folder, text: "others may look into it", next: `chmod 700 ${folder}` });
  await attempt(folder, "Check its permissions.", () => {
    const { receipts, unfinished, locks } = leftoversIn(folder);
    finding.receipts = receipts;
    for (const { id, what, alive } of unfinished) {
      finding.unfinished++;
      tell(
        alive
          ? { level: "note", about: id, text: `${what}: at work now`, next: "Nothing: it is another run." }
          : {
              level: "problem",
              about: id,
              text: `${what}: a run that was killed before its end`,
              next: "Nothing by hand: the next conversion takes back what it began.",
            },
      );
    }
    for (const { path, root, alive } of locks) {
      finding.locks++;
      if (!alive)
        tell({
          level: "note",
          about: path,
          text: `a lock on ${root}, and whoever held it is gone`,
          next: "Nothing: the next run takes it over.",
        });
    }
  });
  await attempt("log", "`asp-convert log verify` says more.", async () => {
    const log = await logIn(undefined, terminal);
    if ((await source.stat(log.root)) === undefined) return;
    const { sessions, faults, broken } = await checkLog(log);
    finding.log = sessions;
    const damaged = faults.filter(({ kind }) => kind === "damaged").length + broken.length;
    if (damaged > 0)
      tell({
        level: "problem",
        about: "log",
        text: `${damaged} place${damaged === 1 ? "" : "s"} in what is remembered of sessions cannot be read`,
        next: "`asp-convert log verify` names them. What they were of comes back without its old bytes.",
      });
  });
  const path = indexPath(terminal.environment);
  if ((await source.stat(path).catch(() => undefined)) === undefined) return finding;
  await attempt("index", `Remove ${path}: the next search makes it anew.`, () => {
    const index = SearchIndex.look(path);
    try {
      finding.index = index.check().sessions;
    } finally {
      index.close();
    }
  });
  return finding;
}
