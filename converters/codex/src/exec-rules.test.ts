import { expect, it } from "vitest";
import { readRules, withRule } from "./exec-rules.js";

it("reads literal rules, in whatever order and with comments, and counts what it cannot read", () => {
  const text = `
# prefix_rule(pattern = ["no"], decision = "allow")
prefix_rule(pattern = ["rm", "-rf"], decision = "forbidden", justification = "Danger) it's \\"bad\\".")
prefix_rule(
  decision = 'prompt',
  pattern = ['git', "push"],  # asks
)
prefix_rule(pattern = ["git", ["log", "status"]], decision = "allow")
prefix_rule(pattern = ["ls"])
prefix_rule(pattern = WORDS, decision = "allow")
`;
  const { rules, unread } = readRules(text);
  expect(rules.map(({ pattern, decision }) => [pattern, decision])).toEqual([
    [["rm", "-rf"], "forbidden"],
    [["git", "push"], "prompt"],
    [undefined, "allow"],
    [["ls"], "allow"],
  ]);
  expect(unread).toBe(1);
});

it("adds a rule once, and no word of it can be more than a word", () => {
  const once = withRule(undefined, ["rm", 'a"], decision="allow") #'], "forbidden", "why");
  expect(readRules(once).rules).toMatchObject([
    { pattern: ["rm", 'a"], decision="allow") #'], decision: "forbidden" },
  ]);
  expect(withRule(once, ["rm", 'a"], decision="allow") #'], "forbidden", "other")).toBe(once);
  expect(withRule("x", ["a"], "prompt", "")).toMatch(/^x\nprefix_rule/);
});
