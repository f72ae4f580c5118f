/** An export whose download broke off is told of, and what of it is whole is read. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT } from "@asp-convert/conformance/toolbox";
import { memorySource, type SessionRef } from "@asp-convert/core";
import { expect, test } from "vitest";
import chatgpt from "./chatgpt/index.js";

const whole = readFileSync(
  join(import.meta.dirname, "../../../fixtures/readers/chatgpt/account/store/conversations.json"),
);

async function listed(bytes: Uint8Array) {
  const source = memorySource({ "/export/conversations.json": bytes });
  const store = await chatgpt.open("/export", source, ENVIRONMENT);
  const told: string[] = [];
  const refs: SessionRef[] = [];
  const onUnreadable = ({ message }: Error) => void told.push(message);
  for await (const ref of chatgpt.sessions.list(store, { source, environment: ENVIRONMENT, onUnreadable }))
    refs.push(ref);
  return { told, ids: refs.map(({ id }) => id) };
}

test("whole, nothing is told", async () => {
  expect(await listed(whole)).toMatchObject({ told: [], ids: { length: 2 } });
});

test("torn in its second conversation", async () => {
  const { told, ids } = await listed(whole.subarray(0, whole.length - 200));
  expect(ids).toHaveLength(1);
  expect(told).toEqual([
    expect.stringMatching(/it ends in the middle: what stands from byte \d+ on is not whole$/),
  ]);
});

test("something else in the list", async () => {
  const other = Buffer.concat([Buffer.from('[{"title":"no talk"},'), whole.subarray(1)]);
  const { told, ids } = await listed(other);
  expect(ids).toHaveLength(2);
  expect(told).toEqual([expect.stringMatching(/what stands from byte 1 to 20 is no session$/)]);
});
