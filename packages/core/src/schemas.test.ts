import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonSchema, schemaNames } from "./schemas.js";

const folder = join(import.meta.dirname, "../../../schema");

describe("JSON Schema of the portable shapes", () => {
  it.each(schemaNames)("%s is as it stands in schema/ (vitest -u writes it anew)", async (name) => {
    await expect(`${JSON.stringify(jsonSchema(name), null, 2)}\n`).toMatchFileSnapshot(
      join(folder, `${name}.json`),
    );
  });

  it.each(schemaNames)("%s is known by its name and the version of all", (name) => {
    expect(jsonSchema(name).$id).toBe(`urn:asp-convert:schema:1:${name}`);
  });

  it("names every event type of the protocol", () => {
    const text = JSON.stringify(jsonSchema("envelope"));
    for (const type of ["session.started", "tool.completed", "action.unknown", "unknown.observed"]) {
      expect(text).toContain(`"const":"${type}"`);
    }
    expect((jsonSchema("envelope").oneOf as unknown[]).length).toBe(27);
  });
});
