/** What `verify` found, for people. */
import { sentLine } from "../verify/native.js";
import type { Verification } from "../verify/verification.js";
import { count, plural } from "./format.js";
import { type Standpoint, shortPath } from "./paths.js";
import type { Style } from "./style.js";
import { oneLine } from "./text.js";
import { padEnd } from "./width.js";

export function verificationLines(
  { path, harness, ok, files, sessions, native, archived, problems }: Verification,
  nameOf: (harness: string) => string,
  standpoint: Standpoint,
  style: Style,
): string[] {
  const verdict = ok ? style.green("holds") : style.red("does not hold");
  const lines = [
    `${style.bold(oneLine(shortPath(path, standpoint)))}   ${nameOf(harness ?? "")}   ${verdict}`,
  ];
  const row = (label: string, text: string) => lines.push(`  ${style.dim(padEnd(label, 8))}  ${text}`);
  const bad = files.filter(({ state }) => state === "changed" || state === "missing");
  const continued = files.filter(({ state }) => state === "continued").length;
  if (files.length === 0) row("files", "no receipt tells of files here");
  else {
    const more = continued > 0 ? ` (${count(continued)} went on since)` : "";
    row(
      "files",
      `${count(files.length - bad.length)} of ${count(files.length)} are as written, by sha256${more}`,
    );
  }
  for (const file of bad) row("", style.red(`${file.state}: ${oneLine(shortPath(file.path, standpoint))}`));
  const records = sessions.reduce((sum, session) => sum + (session.records?.read ?? 0), 0);
  const broken = sessions.filter(({ problem }) => problem !== undefined);
  row(
    "sessions",
    `${count(sessions.length - broken.length)} of ${count(sessions.length)} read whole; ${plural(records, "record")}, all accounted for`,
  );
  for (const session of broken)
    row("", style.red(`${oneLine(session.id)}: ${oneLine(session.problem ?? "")}`));
  for (const problem of problems) row("problem", style.red(oneLine(problem)));
  for (const check of native) {
    const head = `${oneLine(check.id)}  ${check.ok ? style.green("resumed") : style.red("not resumed")}`;
    row("native", `${head}  ${oneLine(check.problem ?? "")}`.trimEnd());
    const sent = sentLine(check);
    if (sent !== "") row("", sent);
  }
  if (archived > 0)
    row("native", `${plural(archived, "session")} not tried: the program resumes none from its archive`);
  return lines;
}
