/** What the leaf test must be told of each harness's records: the axis of leaves that not every target holds. */
import type { LeafRules } from "@asp-convert/conformance/toolbox";

const rules: Readonly<Record<string, LeafRules>> = {
  sample: { structural: ["parent.relation"], axes: { version: "side-records" } },
};

export function leafRules(harness: string): LeafRules {
  return rules[harness] ?? {};
}
