import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeAttribute, encodeAttribute } from "./attribute.js";

it("comes back as it was, and ends neither the attribute nor the comment", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const encoded = encodeAttribute(text);
      expect(decodeAttribute(encoded)).toBe(text.toWellFormed());
      expect(encoded).not.toMatch(/["<>\n\r]|--/);
    }),
  );
});

it.each([
  ['a" -->', "a%22 %2D%2D%3E"],
  ["100 %", "100 %25"],
])("%j is written as %s", (text, encoded) => expect(encodeAttribute(text)).toBe(encoded));

it("is left alone where a person wrote what we would not", () => {
  expect(decodeAttribute("100 %")).toBe("100 %");
});
