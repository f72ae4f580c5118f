/** A tool may be called what no vendor takes (`web.run` of ChatGPT): every writer gives its call a name that all take. */
import { join } from "node:path";
import { convert, loadFixture, openStore, sourceOf } from "@asp-convert/conformance/toolbox";
import readers from "@asp-convert/readers";
import { expect, test } from "vitest";
import { fixturesRoot, type HarnessId, harnesses } from "./harnesses.js";

test.each(Object.keys(harnesses) as HarnessId[])("written to %s", async (id) => {
  const chatgpt = readers.find((reader) => reader.id === "chatgpt");
  if (!chatgpt) throw new Error("there is a reader of ChatGPT's export");
  const fixture = await loadFixture(join(fixturesRoot, "readers/chatgpt/account/store"), "account");
  const { refs, source } = await openStore(chatgpt, fixture.root, sourceOf(fixture.files));
  const ref = refs.find(({ title }) => title?.startsWith("Find the release date"));
  if (!ref) throw new Error("the fixture has the session");
  const { files } = await convert({ from: chatgpt, ref, source, to: harnesses[id].converter });
  const written = [...files.values()].map((bytes) => Buffer.from(bytes).toString("utf8")).join("\n");
  expect(written).toMatch(/"(?:name|tool|toolName)": ?"web_run_[0-9a-f]{10}"/);
  expect(written).not.toMatch(/"(?:name|toolName)": ?"web\.run"/);
});
