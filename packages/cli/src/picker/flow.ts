/** From screen to screen, and one step back with Esc. */

import { usePlugins } from "../plugins/use.js";
import type { Terminal } from "../terminal.js";
import { nameOf } from "../toolkit.js";
import { oneLine } from "../ui/text.js";
import { truncate } from "../ui/width.js";
import { choiceView, waitingView } from "./choice.js";
import { Found, type Item } from "./found.js";
import type { PickOptions } from "./options.js";
import { Screen } from "./screen.js";
import { askForSession, type Standing } from "./sessions.js";
import { comparison, resumeOf, runNow, wordsFor, write } from "./steps.js";
import { type TargetChoice, targetsFor } from "./targets.js";

interface Decision {
  item: Item;
  to: TargetChoice;
  install: boolean;
}

export async function pickOnScreen(options: PickOptions, terminal: Terminal): Promise<void> {
  const screen = new Screen(terminal);
  const found = new Found(terminal, options.index);
  let decision: Decision | undefined;
  try {
    decision = await decide(screen, found, terminal);
  } finally {
    screen.close();
    await found.close();
  }
  if (!decision) {
    terminal.say("nothing was done");
    return;
  }
  const { item, to, install } = decision;
  const resume = resumeOf(await write(item, to.converter.id, install, terminal));
  if (!resume || !install || to.at === undefined) return;
  if (await yes(screen, `Run ${to.converter.name} now?`)) await runNow(resume, terminal);
}

async function decide(screen: Screen, found: Found, terminal: Terminal): Promise<Decision | undefined> {
  const standing: Standing = { query: "" };
  // Once, while the first screen is looked at; what is to be said of them is one of the problems it counts.
  const aside = { ...terminal, warn: (text: string) => void found.problems.push(text), say() {} };
  const plugins = usePlugins({}, [], aside);
  for (;;) {
    const item = await askForSession(screen, found, standing, terminal);
    if (!item) return undefined;
    await plugins;
    const decision = await decideTarget(screen, item, terminal);
    if (decision) return decision;
  }
}

async function decideTarget(screen: Screen, item: Item, terminal: Terminal): Promise<Decision | undefined> {
  const all = await targetsFor(item.harness, terminal);
  const title = truncate(oneLine(item.ref.title ?? item.ref.id), 40);
  for (;;) {
    const answer = await screen.ask(
      choiceView(
        {
          head: `“${title}” of ${nameOf(item.harness)}: where to?`,
          answers: all.map((value) => ({
            value,
            label: value.converter.name,
            hint: value.at === undefined ? "not installed here" : oneLine(value.at),
          })),
          words: (value) => wordsFor("compare", item, `--to ${value?.converter.id ?? ""}`, terminal),
        },
        terminal,
      ),
    );
    if (answer === null) return undefined;
    const decision = await decideWriting(screen, item, answer.value, terminal);
    if (decision) return decision;
  }
}

async function decideWriting(
  screen: Screen,
  item: Item,
  to: TargetChoice,
  terminal: Terminal,
): Promise<Decision | undefined> {
  const { id, name, experimental } = to.converter;
  const words = (install: boolean | undefined) =>
    wordsFor("convert", item, `--to ${id}${install === false ? "" : " --install"}`, terminal);
  const stop = new AbortController();
  const comparing = comparison(item, id, screen.size.columns - 1, stop.signal, terminal).catch(
    (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
  );
  const waiting = screen.ask(waitingView("comparing …", terminal, words(true)));
  const lines = await Promise.race([comparing, waiting]);
  if (lines === null) {
    stop.abort();
    return undefined;
  }
  const failed = !Array.isArray(lines);
  const body = (failed ? [`It cannot be converted: ${oneLine(lines.problem)}`] : lines).map((text) => ({
    text,
  }));
  const answer = await screen.ask(
    choiceView<boolean>(
      {
        head: failed ? name : `This is what ${name} would get`,
        body: [...body, ...(experimental === undefined ? [] : [{ text: experimental }]), { text: "" }],
        answers: failed
          ? []
          : [
              {
                value: true,
                label: `write it into ${name}'s own store`,
                hint: "asp-convert undo takes it back",
              },
              { value: false, label: `write it to ./asp-out/${id}`, hint: "a folder here" },
            ],
        words,
      },
      terminal,
    ),
  );
  return answer === null ? undefined : { item, to, install: answer.value };
}

/** One key, below what was printed; any other is a no, as all is done already. */
async function yes(screen: Screen, question: string): Promise<boolean> {
  const key = await screen.key(`\n${question}  Enter: yes · Esc: no `);
  const answer = key.name === "enter" || (key.name === "text" && /^[yY]$/.test(key.text));
  process.stdout.write(`${answer ? "yes" : "no"}\n`);
  return answer;
}
