/** Captured stores of real programs over the wire: what arrives is what a conversion from store to store writes. */
import { join } from "node:path";
import { Holder } from "@asp-convert/acp";
import { convert, diskSource } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { fixtureNames, fixturesRoot, type HarnessId, harnesses } from "../harnesses.js";
import { eventsIn, exported, held, imported, scene, signal } from "./support.js";

const { newFolder, environment } = scene();
const ids = Object.keys(harnesses) as HarnessId[];

describe.each(ids)("%s over the wire", (from) => {
  test.each(fixtureNames(from))("%s", async (name) => {
    const { converter, store } = harnesses[from];
    const source = held(converter, join(fixturesRoot, from, name, store), environment);
    const holder = new Holder(source);
    const refs = await holder.sessions(signal);
    expect((await holder.describe(signal)).sessions).toBe(refs.length);
    const pages = await exported(holder, ["sessions"]);
    expect(pages.flatMap(({ state }) => state.sessions ?? []).map(({ sessionId }) => sessionId)).toEqual(
      refs.map(({ id }) => id),
    );

    const to = ids[
      (ids.indexOf(from) + 1 + (fixtureNames(from).indexOf(name) % 4)) % ids.length
    ] as HarnessId;
    const target = harnesses[to].converter;
    const [over, direct] = [held(target, newFolder(), environment), held(target, newFolder(), environment)];
    const answers = await imported(new Holder(over), pages);
    expect(answers.flatMap(({ notTaken }) => notTaken)).toEqual([]);
    await convert({
      from: converter,
      store: await converter.open(source.root, diskSource, environment),
      refs,
      to: target,
      root: direct.root,
      environment,
      source: diskSource,
      via: "events",
      installed: false,
    });
    const [arrived, written] = [await eventsIn(over), await eventsIn(direct)];
    expect(Object.keys(arrived).sort()).toEqual(Object.keys(written).sort());
    expect(arrived).toEqual(written);
    // Each conversation is found under the id that was said.
    const mapped = Object.assign({}, ...answers.map(({ sessions }) => sessions));
    for (const { id } of refs) expect(arrived).toHaveProperty([mapped[id]]);
    // Once more: nothing is new.
    const again = await imported(new Holder(over), pages);
    expect(Object.assign({}, ...again.map(({ sessions }) => sessions))).toEqual(mapped);
    expect(await eventsIn(over)).toEqual(arrived);
  });
});
