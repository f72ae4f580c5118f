/**
 * The kinds beside sessions for others to see. Texts get markers; a skill, command or subagent is carried byte for byte
 * or not at all, so one that holds what looks like a secret stays behind.
 */
import type { Item, Losses, StateForms, StateKindName } from "../converter/kinds.js";
import { belonging, change, leave } from "../kinds/account.js";
import { hookLine } from "../kinds/hooks.js";
import { decode } from "../kinds/text.js";
import type { Definition, Skill, SkillFile } from "../state/skills.js";
import type { Redactor } from "./redact.js";

/** Larger files are data, in which nobody keeps a key by hand. */
const LOOKED_INTO = 1024 * 1024;

/** The state without secrets; what stayed behind or got markers is added to `items` and `losses`. */
export async function sharedState<K extends StateKindName>(
  kind: K,
  state: StateForms[K],
  redactor: Redactor,
  to: { losses: Losses; items: Item[] },
): Promise<StateForms[K]> {
  const share: { [N in StateKindName]: (state: StateForms[N]) => Promise<StateForms[N]> | StateForms[N] } = {
    instructions: ({ files }) => ({
      files: files.map((file) => ({
        ...file,
        text: marked(file.text, belonging(file, file.source), "instructions"),
      })),
    }),
    memory: ({ notes }) => ({
      notes: notes.map((note) =>
        note.text === undefined
          ? note
          : { ...note, text: marked(note.text, belonging({ scope: "user" }, note.path), "memory") },
      ),
    }),
    settings: (settings) => ({
      ...settings,
      options: settings.options.map((option) =>
        typeof option.value === "string"
          ? { ...option, value: marked(option.value, belonging(option, option.id), "settings") }
          : option,
      ),
    }),
    tools: ({ servers, hooks }) => ({
      servers,
      hooks: hooks.map((hook) =>
        hook.command === undefined
          ? hook
          : { ...hook, command: marked(hook.command, belonging(hook, hookLine(hook)), "tools") },
      ),
    }),
    skills: async ({ skills, definitions }) => {
      const clean: Skill[] = [];
      for (const skill of skills)
        if (!(await hasSecret(skill.files))) clean.push(skill);
        else
          to.items.push(
            leave(to, belonging(skill, skill.name), { kind: "skills", axis: "secrets", reason: "secret" }),
          );
      const told = (definition: Definition): boolean => {
        if (!finds(definition.native.text ?? definition.body)) return true;
        to.items.push(
          leave(to, belonging(definition, definition.name), {
            kind: "skills",
            axis: "secrets",
            reason: "secret",
          }),
        );
        return false;
      };
      return { skills: clean, definitions: definitions.filter(told) };
    },
  };
  return share[kind](state);

  function marked(
    text: string,
    of: ReturnType<typeof belonging>,
    kind: "instructions" | "memory" | "settings" | "tools",
  ): string {
    const now = redactor.text(text);
    // Told as a loss; the item itself is told of where it is written.
    if (now !== text) change(to, of, { kind, axis: "secrets", reason: "redacted" });
    return now;
  }

  function finds(text: string): boolean {
    return redactor.text(text) !== text;
  }

  async function hasSecret(files: readonly SkillFile[]): Promise<boolean> {
    for (const file of files) {
      if (file.size > LOOKED_INTO) continue;
      const pieces: Uint8Array[] = file.data === undefined ? [] : [Buffer.from(file.data, "base64")];
      for await (const piece of file.read?.() ?? []) pieces.push(piece);
      const { text, invalid } = decode(Buffer.concat(pieces));
      if (!invalid && finds(text)) return true;
    }
    return false;
  }
}
