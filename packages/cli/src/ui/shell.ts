/** Command lines that can be pasted. */

type Platform = NodeJS.Platform;

const SAFE = /^[\w@%+=:,./-]+$/;

/** Control and format characters: never sent to a terminal as they are, so written as escapes (POSIX 2024, bash, zsh). */
const UNPRINTABLE = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u;

/** One argument, quoted where a shell would read anything into it. POSIX; on Windows for PowerShell. */
export function quote(argument: string, platform: Platform = process.platform): string {
  if (platform !== "win32" && UNPRINTABLE.test(argument)) return ansiQuoted(argument);
  if (platform === "win32")
    return /^[\w@+=:,.\\/-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "''")}'`;
  return SAFE.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

function ansiQuoted(argument: string): string {
  const escaped = [...argument].map((character) => {
    if (character === "'" || character === "\\") return `\\${character}`;
    if (!UNPRINTABLE.test(character)) return character;
    // Octal of the bytes: three digits always, so that nothing after it is read as a part of it.
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  });
  return `$'${escaped.join("")}'`;
}

/** A path, quoted, with the home folder as `~` (outside the quotes, where a shell still expands it). */
export function quotePath(
  path: string,
  home: string | undefined,
  platform: Platform = process.platform,
): string {
  if (platform !== "win32" && home !== undefined && home !== "/") {
    if (path === home) return "~";
    if (path.startsWith(`${home}/`)) return `~/${quote(path.slice(home.length + 1), platform)}`;
  }
  return quote(path, platform);
}

export interface Line {
  /** Where to run it; absent: here. */
  cwd?: string | undefined;
  /** Environment variables set for it, as paths. */
  variables?: Readonly<Record<string, string>>;
  /** Commands before it, each only if the one before went well. */
  first?: readonly (readonly string[])[];
  command: readonly string[];
}

/** `cd DIR && NAME=VALUE command …`. */
export function commandLine(
  line: Line,
  home: string | undefined,
  platform: Platform = process.platform,
): string {
  const variables = Object.entries(line.variables ?? {});
  const commands = [...(line.first ?? []), line.command].map((words) =>
    words.map((argument) => quote(argument, platform)).join(" "),
  );
  if (platform === "win32") {
    const steps = variables.map(([name, value]) => `$env:${name}=${`'${value.replaceAll("'", "''")}'`}`);
    if (line.cwd !== undefined) steps.unshift(`cd ${quote(line.cwd, platform)}`);
    return [...steps, ...commands].join("; ");
  }
  const set = variables.map(([name, value]) => `${name}=${quotePath(value, home, platform)} `).join("");
  const go = line.cwd === undefined ? "" : `cd ${cdOperand(quotePath(line.cwd, home, platform))} && `;
  return `${go}${set}${commands.join(" && ")}`;
}

/** A folder called `-x` is no option. */
function cdOperand(quoted: string): string {
  return /^\$?'?-/.test(quoted) ? `-- ${quoted}` : quoted;
}
