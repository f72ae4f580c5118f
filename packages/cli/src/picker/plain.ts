/** The same in numbered questions, one line after the other: nothing is painted over. */
import { createInterface, type Interface } from "node:readline/promises";
import { usePlugins } from "../plugins/use.js";
import { programName } from "../run.js";
import type { Terminal } from "../terminal.js";
import { nameOf } from "../toolkit.js";
import { plural, when } from "../ui/format.js";
import { quote } from "../ui/shell.js";
import { oneLine } from "../ui/text.js";
import { truncate } from "../ui/width.js";
import { lastExchange } from "./exchange.js";
import { Found, type Item } from "./found.js";
import { grepWords } from "./hint.js";
import type { PickOptions } from "./options.js";
import { interrupted } from "./screen.js";
import { comparison, resumeOf, runNow, wordsFor, write } from "./steps.js";
import { targetsFor } from "./targets.js";

const PAGE = 10;

type Ask = (question: string) => Promise<string>;

export async function pickPlainly(options: PickOptions, terminal: Terminal): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const ask = asking(lines, terminal);
  const found = new Found(terminal, options.index);
  try {
    terminal.say("Looking for sessions.");
    await usePlugins({}, [], terminal);
    await allOf(found, terminal);
    let query = "";
    for (;;) {
      const chosen = await askForItem(found, query, ask, terminal);
      if (!chosen) return terminal.say("nothing was done");
      query = chosen.query;
      if (await convertOne(chosen.item, ask, lines, terminal)) return;
    }
  } finally {
    lines.close();
    await found.close();
  }
}

/** The end of the input is an answer too: nothing more is asked. */
function asking(lines: Interface, { signal }: Terminal): Ask {
  const closed = new Promise<never>((_, reject) => lines.once("close", () => reject(interrupted())));
  closed.catch(() => {});
  return async (question) =>
    (await Promise.race([lines.question(`${question} `, { signal }), closed])).trim();
}

function allOf(found: Found, terminal: Terminal): Promise<void> {
  return new Promise((resolve, reject) => {
    terminal.signal.addEventListener("abort", () => reject(interrupted()), { once: true });
    found.onChange = () => found.done && resolve();
    if (found.done) resolve();
  });
}

async function askForItem(
  found: Found,
  before: string,
  ask: Ask,
  terminal: Terminal,
): Promise<{ item: Item; query: string } | undefined> {
  let query = before;
  let from = 0;
  for (const problem of found.problems) terminal.warn(oneLine(problem));
  for (;;) {
    const items = found.matching(query, found.inTexts(query));
    const page = items.slice(from, from + PAGE);
    await terminal.print(
      `${plural(items.length, "session")}${query === "" ? "" : ` with “${oneLine(query)}”`}${items.length > PAGE ? `, from number ${from + 1}` : ""}`,
    );
    for (const [index, { ref, harness, snippet }] of page.entries()) {
      const parts = [
        truncate(oneLine(ref.title ?? ref.id), 60),
        nameOf(harness),
        when(ref.updatedAt ?? ref.createdAt),
      ];
      if (ref.cwd !== undefined) parts.push(oneLine(ref.cwd));
      if (snippet !== undefined) parts.push(`found: ${oneLine(snippet)}`);
      await terminal.print(`${from + index + 1}. ${parts.join(", ")}`);
    }
    terminal.say(`next time: ${programName(terminal)} ${grepWords(query)}`);
    const answer = await ask(`Number of a session, words to search for, Enter for more, or q to leave?`);
    if (answer === "q") return undefined;
    const number = /^\d+$/.test(answer) ? Number(answer) : 0;
    const item = items[number - 1];
    if (item) return { item: found.chosen(item), query };
    if (answer === "") from = from + PAGE < items.length ? from + PAGE : 0;
    else [query, from] = [answer, 0];
  }
}

/** true: done; false: one step back. */
async function convertOne(item: Item, ask: Ask, lines: Interface, terminal: Terminal): Promise<boolean> {
  const said = await lastExchange(item, terminal).catch(() => []);
  for (const { role, text } of said)
    await terminal.print(
      `${role === "user" ? "You" : nameOf(item.harness)} last said: ${truncate(oneLine(text), 400)}`,
    );
  const all = await targetsFor(item.harness, terminal);
  for (;;) {
    for (const [index, { converter, at }] of all.entries())
      await terminal.print(
        `${index + 1}. ${converter.name}${at === undefined ? ", not installed here" : ""}`,
      );
    const to = all[Number(await ask("Number of the program it is to go to, or Enter to go back?")) - 1];
    if (!to) return false;
    const { id, name, experimental } = to.converter;
    terminal.say(`next time: ${programName(terminal)} ${wordsFor("compare", item, `--to ${id}`, terminal)}`);
    const columns = terminal.columns ?? 100;
    for (const line of await comparison(item, id, columns, terminal.signal, terminal))
      await terminal.print(line);
    if (experimental !== undefined) await terminal.print(experimental);
    await terminal.print(`1. write it into ${name}'s own store; asp-convert undo takes it back`);
    await terminal.print(`2. write it to ./asp-out/${quote(id)}, a folder here`);
    const where = await ask("Number, or Enter to go back?");
    if (where !== "1" && where !== "2") continue;
    const resume = resumeOf(await write(item, id, where === "1", terminal));
    if (!resume || where !== "1" || to.at === undefined) return true;
    if (!/^y/i.test(await ask(`Run ${name} now, y or n?`))) return true;
    lines.close();
    await runNow(resume, terminal);
    return true;
  }
}
