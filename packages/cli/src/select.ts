/** Which sessions of a store a command is about. */
import type { SessionRef, Unreadable } from "@asp-convert/core";
import { CommandError, UsageError } from "./errors.js";
import type { SessionOptions } from "./options.js";
import type { Terminal } from "./terminal.js";
import type { Sessions } from "./toolkit.js";
import { plural } from "./ui/format.js";
import { oneLine } from "./ui/text.js";

/**
 * `--session`, `--latest` or `--all`. Without any: the only one there is; of several a person is asked, and
 * where nobody can be asked the newest is taken and said so. A store of thousands must not surprise.
 * @throws CommandError where the one that is meant is among what cannot be read, with the reason
 */
export async function selectSessions(
  { refs, unreadable }: Sessions,
  options: SessionOptions,
  where: string,
  terminal: Terminal,
): Promise<SessionRef[]> {
  const [newest] = refs;
  if (!newest && unreadable.length > 0) throw unread(unreadable, where);
  if (!newest) {
    throw new CommandError(`${where}: no sessions here`, {
      code: "no-sessions",
      next: "`asp-convert list` shows every session on this machine.",
    });
  }
  if (options.session) return named({ refs, unreadable }, options.session, where);
  if (options.all) return [...refs];
  if (options.latest || refs.length === 1) return [newest];
  if (terminal.interactive && !options.quietly) {
    const { askForSession } = await import("./ask.js");
    return [await askForSession(refs, terminal)];
  }
  terminal.say(
    `the newest of ${plural(refs.length, "session")}: ${newest.id}${newest.title === undefined ? "" : ` “${oneLine(newest.title)}”`}. ` +
      "Others: --session ID, or --all",
  );
  return [newest];
}

function unread([first, ...more]: readonly Unreadable[], where: string): CommandError {
  const others = more.length > 0 ? ` (and ${plural(more.length, "other")} in ${where})` : "";
  return new CommandError(`${first?.path ?? where}: ${first?.reason ?? "cannot be read"}${others}`, {
    code: "unreadable",
    next: "Check its permissions, or run as the user it belongs to.",
  });
}

function named({ refs, unreadable }: Sessions, ids: readonly string[], where: string): SessionRef[] {
  const every = refs.flatMap(withChildren);
  const chosen = ids.map((id) => {
    // Every id begins with nothing: a script's unset variable must not choose.
    if (id === "") throw new UsageError("--session names no session", "Give an id or its first characters.");
    const exact = every.find((ref) => ref.id === id);
    if (exact) return exact;
    const found = every.filter((ref) => ref.id.startsWith(id));
    const [only] = found;
    if (only && found.length === 1) return only;
    if (found.length > 1) {
      const some = found.slice(0, 3).map((ref) => ref.id);
      throw new UsageError(
        `"${id}" is the beginning of ${plural(found.length, "session id")}: ${some.join(", ")}${found.length > some.length ? " …" : ""}`,
        "Give more characters of it.",
      );
    }
    const closed = unreadable.filter(({ path }) => path.includes(id));
    if (closed.length > 0) throw unread(closed, where);
    throw new CommandError(`${where}: no session "${oneLine(id)}" among ${plural(refs.length, "session")}`, {
      code: "no-such-session",
      next: `\`asp-convert list ${where}\` shows them.`,
    });
  });
  return [...new Set(chosen)];
}

function withChildren(ref: SessionRef): SessionRef[] {
  return [ref, ...ref.children.flatMap(withChildren)];
}
