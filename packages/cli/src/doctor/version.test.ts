import { expect, test } from "vitest";
import { isNewer } from "./version.js";

test.each([
  ["2.1.333", "2.1.332", true],
  ["2.1.332", "2.1.332", false],
  ["2.2", "2.1.332", true],
  ["2.1.332-beta.1", "2.1.332", false],
  ["0.99.0", "0.171.0", false],
  ["10.0.0", "9.9.9", true],
])("%s is newer than %s: %s", (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer);
});
