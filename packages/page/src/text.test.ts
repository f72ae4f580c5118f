import { expect, test } from "vitest";
import { escapeHtml, inertJson, neutral } from "./text.js";

test("what controls a terminal or turns text around is seen and does nothing", () => {
  expect(neutral("a\u0000b\u001b[31mred\u001b[0m \u202ex\ttab\r\nline")).toBe("a␀bred [U+202E]x\ttab\nline");
});

test("neither markup nor the end of a script gets through", () => {
  expect(escapeHtml('<b a="1">&')).toBe("&lt;b a=&quot;1&quot;&gt;&amp;");
  const cuts = { texts: 0, characters: 0, pictures: 0 };
  const json = inertJson({ "</script>": "</script><!--" }, cuts);
  expect(json).not.toContain("<");
  expect(JSON.parse(json)).toEqual({ "</script>": "</script><!--" });
});

test("what is cut is counted, and said where it was", () => {
  const cuts = { texts: 0, characters: 0, pictures: 0 };
  const src = `data:${"A".repeat(200_000)}`;
  const shown = JSON.parse(inertJson({ text: "x".repeat(100_007), src }, cuts)) as {
    text: string;
    src: string;
  };
  expect(shown.text.slice(-55)).toContain("[7 more characters are not in this page]");
  expect(shown.src).toBe(src);
  expect(cuts).toEqual({ texts: 1, characters: 7, pictures: 0 });
});
