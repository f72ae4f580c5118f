import { expect, test } from "vitest";
import { documentTail } from "./document-tail.js";
import { memorySource } from "./memory.js";

const opened = (text: string) => memorySource({ "/f": text }).open("/f");

test("what a crash left at the end of a document", async () => {
  expect(documentTail(await opened("{}"), undefined)).toBeUndefined();
  expect(documentTail(await opened("{}\0\0\0"), undefined)).toEqual({
    ...{ offset: 2, length: 3 },
    why: "unparsable",
  });
  expect(documentTail(await opened('{"a":'), { offset: 1, length: 4 })).toMatchObject({ why: "torn-tail" });
  const long = `{}${"\0".repeat(200_000)}`;
  expect(documentTail(await opened(long), undefined)).toMatchObject({ offset: 2, length: 200_000 });
});
