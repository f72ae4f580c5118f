import { expect, test } from "vitest";
import { documentParts } from "./document.js";
import { memorySource } from "./memory.js";

async function partsOf(text: string) {
  const file = await memorySource({ "/d.json": text }).open("/d.json");
  const { shell, objects, cut } = documentParts(file, ["messages"]);
  return {
    shell,
    objects: objects.map(({ offset, length }) => Buffer.from(file.read(offset, length)).toString()),
    cut,
  };
}

test("a document is taken apart into the objects of its list and what stands around it", async () => {
  const text = '{"id":"x","messages":[ {"a":"}]"},\n{"b":[{"c":1}]} ],"end":{"messages":[{"no":1}]}}';
  expect(await partsOf(text)).toEqual({
    shell: { id: "x", messages: [], end: { messages: [{ no: 1 }] } },
    objects: ['{"a":"}]"}', '{"b":[{"c":1}]}'],
    cut: undefined,
  });
});

test("a list alone is a document; a byte order mark is none of its bytes", async () => {
  expect(await partsOf('\uFEFF[{"a":1},{"b":"\\"{"}]')).toMatchObject({
    objects: ['{"a":1}', '{"b":"\\"{"}'],
  });
});

test("a document that is cut off gives what is whole, and says from where on nothing is", async () => {
  const text = '{"id":"x","messages":[{"a":1},{"b":"cu';
  expect(await partsOf(text)).toEqual({
    shell: { id: "x", messages: [] },
    objects: ['{"a":1}'],
    cut: { offset: 30, length: 8 },
  });
});

test("a list that is an object of objects: each with the key it stands under", async () => {
  const text =
    '{"messages":{"a\u00e9":{"x":{"y":1}},"b": {"z":"}"},"none":null},"more":{"messages":{"no":{}}}}';
  const file = await memorySource({ "/d.json": text }).open("/d.json");
  const { shell, objects, cut } = documentParts(file, ["messages"]);
  expect(shell).toEqual({ messages: {}, more: { messages: { no: {} } } });
  expect(
    objects.map(({ offset, length, key }) => [key, Buffer.from(file.read(offset, length)).toString()]),
  ).toEqual([
    ["aé", '{"x":{"y":1}}'],
    ["b", '{"z":"}"}'],
  ]);
  expect(cut).toBeUndefined();
});

test("what is no document has nothing", async () => {
  expect(await partsOf("<html>")).toEqual({ shell: undefined, objects: [], cut: undefined });
});
