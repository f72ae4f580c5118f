/** The chats of a history. */
import type { ListContext, OpenFile, SessionRef, Source, Store } from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { type Export, listExport, slicesIn } from "../exports.js";
import { type About, titleOf } from "../refs.js";
import { BEGIN, isHistory } from "./layout.js";
import { promptOf, stretchesOf } from "./lines.js";

const exported: Export = {
  harness: "aider",
  extension: ".md",
  isExport: isHistory,
  places: chats,
  about,
  inProject: true,
};

export function listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  return listExport(exported, store, context);
}

export function view(store: Store, source: Source): Source {
  return slicesIn(store, exported).view(source);
}

const CHUNK = 4 * 1024 * 1024;
const MARK = Buffer.from("# aider chat started at ");

/** From one beginning to the next. What stands before the first is a chat of its own. */
function* chats(file: OpenFile): Generator<{ offset: number; length: number }> {
  const starts: number[] = [];
  // Each piece sees the end of the one before it: a beginning may lie across.
  for (let offset = 0; offset < file.size; offset += CHUNK) {
    const from = Math.max(0, offset - MARK.length);
    const bytes = Buffer.from(file.read(from, offset + CHUNK - from));
    for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
      const place = from + at;
      const isLineStart = place === 0 || (at > 0 ? bytes[at - 1] : file.read(place - 1, 1)[0]) === 0x0a;
      if (isLineStart && place !== starts.at(-1)) starts.push(place);
    }
  }
  if (starts[0] !== 0) starts.unshift(0);
  for (const [index, offset] of starts.entries()) {
    const length = (starts[index + 1] ?? file.size) - offset;
    const isBlank =
      length < MARK.length && Buffer.from(file.read(offset, length)).toString("utf8").trim() === "";
    if (!isBlank) yield { offset, length };
  }
}

function about(text: string): About | undefined {
  if (text.trim() === "") return undefined;
  const [, day, clock] = BEGIN.exec(text) ?? [];
  const at = day === undefined ? undefined : isoTime(`${day}T${clock}`);
  let messages = 0;
  let prompt: string | undefined;
  for (const { sort, text: said } of stretchesOf(Buffer.from(text))) {
    const words = sort === "person" ? promptOf(said) : sort === "agent" ? said : undefined;
    if (words === undefined || words === "") continue;
    messages++;
    if (sort === "person") prompt ??= words;
  }
  const model = /^> (?:Main model|Model): (\S+)/m.exec(text)?.[1];
  return {
    ...(day !== undefined && { id: `${day}T${clock?.replaceAll(":", "-")}` }),
    ...titleOf(undefined, prompt),
    // By the machine's clock, whose zone is not told.
    ...(at !== undefined && { createdAt: at, updatedAt: at, timesInferred: true }),
    ...(model !== undefined && { model }),
    messages,
  };
}
