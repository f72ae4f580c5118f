/** Where sessions come from and where they go, for the tests that multiply both. */
import { type Fixture, type Subject, sample, sampleFixture } from "@asp-convert/conformance/toolbox";
import { bundle, type Converter } from "@asp-convert/core";
import { captured, type HarnessId, harnesses, routeCases } from "./harnesses.js";
import { leafRules } from "./leaf-rules.js";

export interface Origin {
  converter: Converter;
  names: readonly string[];
  load: (name: string) => Promise<Fixture>;
}

export const origins: readonly Origin[] = [
  ...(Object.keys(harnesses) as HarnessId[]).map((id) => ({
    converter: harnesses[id].converter,
    names: routeCases(id),
    load: (name: string) => captured(id, name),
  })),
  { converter: sample, names: ["sample"], load: () => Promise.resolve(sampleFixture()) },
];

export const targets: readonly Converter[] = [
  ...Object.values(harnesses).map(({ converter }) => converter),
  sample,
  bundle,
];

/** All targets but the harness itself: what it does alone stands in its own conformance test. */
export function targetsOf(from: Converter): Converter[] {
  return targets.filter(({ id }) => id !== from.id);
}

export function idsOf(converter: Converter): readonly RegExp[] {
  return Object.values(harnesses).find((harness) => harness.converter === converter)?.ids ?? [];
}

/** A fixture before a check of the kit. */
export function subject(converter: Converter, fixture: Fixture, to: readonly Converter[]): Subject {
  return {
    converter,
    fixture,
    foreign: [],
    targets: to,
    leaves: leafRules(converter.id),
    ids: idsOf(converter),
  };
}
