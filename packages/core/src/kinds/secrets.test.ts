// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is tested
import { describe, expect, it } from "vitest";
import { looksSecret, variableName } from "./secrets.js";

describe("a secret", () => {
  it.each([
    ["API_TOKEN", "hunter2"],
    ["Authorization", "Bearer abc"],
    ["X-Api-Key", "abc"],
    ["DB", "postgres://user:pass@host/db"],
    ["WHATEVER", "ghp_0123456789abcdefABCDEF0123456789abcd"],
    ["WHATEVER", "sk-ant-api03-abcdefghijklmnop"],
    ["X", "9f86d081884c7d659a2feaa0c55ad015"],
    ["X", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"],
    ["MY_KEY", "prefix-${NAME}"],
    ["GITHUB_PAT", "x"],
  ])("is %s = %s", (name, value) => expect(looksSecret(name, value)).toBe(true));
});

describe("no secret", () => {
  it.each([
    ["API_TOKEN", "${API_TOKEN}"],
    ["Authorization", "Bearer ${TOKEN:-none}"],
    ["DEBUG", "true"],
    ["AUTH_ENABLED", "false"],
    ["PORT", "8080"],
    ["MAX_TOKENS", "4096"],
    ["HOME_DIR", "/home/dev/some/long/path/that/goes/on"],
    ["BASE_URL", "https://example.com/a/b/c/d/e"],
    ["KEYBOARD", "us"],
    ["MODE", "development"],
  ])("is %s = %s", (name, value) => expect(looksSecret(name, value)).toBe(false));
});

it("gets a variable of a legal name", () => {
  expect(variableName("my server", "X-Api.Key")).toBe("MY_SERVER_X_API_KEY");
  expect(variableName("日本", "1")).toBe("ASP_1");
});
