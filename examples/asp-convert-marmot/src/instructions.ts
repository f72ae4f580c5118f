/** `MARMOT.md`, in the den for every talk and at the top of a project for those held in it. */
import { posix } from "node:path";
import type { Action, Instruction, Instructions, Item, StateKind } from "@asp-convert/core";
import {
  belonging,
  instructionItem,
  instructionsIn,
  leave,
  namedPiece,
  planPieces,
  readInstruction,
} from "@asp-convert/core/kinds";
import { INSTRUCTIONS } from "./layout.js";

export const instructions: StateKind<Instructions> = {
  fidelity: {
    read: { instructions: "preserved", "instruction-scopes": "preserved" },
    write: { instructions: "partial", "instruction-scopes": "partial" },
  },

  async read(store, context) {
    const files: Instruction[] = [];
    const take = async (base: string, of: { scope: "user" } | { scope: "project"; project: string }) => {
      const place = { file: posix.join(base, INSTRUCTIONS), base, path: "", from: "marmot", ...of };
      const whole = await readInstruction(place, context);
      if (whole) files.push(...instructionsIn(whole));
    };
    if (context.user) await take(store.root, { scope: "user" });
    for (const project of context.projects) await take(project, { scope: "project", project });
    return files.length > 0 ? { files } : undefined;
  },

  async write(state, target) {
    const actions: Action[] = [];
    const items: Item[] = [];
    // Texts that go into one file go there one after the other: what is planned for it is planned at once.
    const byFolder = Map.groupBy(state.files.entries(), ([, { project }]) =>
      project === undefined ? target.root : target.projectFolder(project),
    );
    for (const [folder, entries] of byFolder) {
      if (folder === undefined) {
        for (const [at, file] of entries)
          items[at] = leave(target, belonging(file, file.source), {
            kind: "instructions",
            axis: "instructions",
            reason: "no-place",
          });
        continue;
      }
      const path = posix.join(folder, INSTRUCTIONS);
      const pieces = entries.map(([, file]) => namedPiece(file, folder));
      const plan = await planPieces(path, pieces, target);
      actions.push(...plan.actions);
      entries.forEach(([at, file], i) => {
        const outcome = plan.outcomes[i] ?? "unreadable";
        items[at] = instructionItem(file, outcome, path, target, "Marmot", "in every talk of the project");
      });
    }
    return { actions, items };
  },
};
