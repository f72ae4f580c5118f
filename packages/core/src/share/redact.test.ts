// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a reference to a variable is no secret
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor } from "./redact.js";

const redact = (text: string): string => redactor().text(text);

describe("a secret", () => {
  it.each([
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "[redacted:private-key:1]"],
    ["key sk-ant-api03-abcdefghijklmnopqrst done", "key [redacted:anthropic-key:1] done"],
    ["ghp_0123456789abcdefABCDEF0123456789abcd", "[redacted:github-token:1]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted:aws-key:1]"],
    ["postgres://me:hunter22@db/x", "postgres://me:[redacted:url-password:1]@db/x"],
    ["Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted:authorization:1]"],
    ["DB_PASSWORD=letmein", "DB_PASSWORD=[redacted:named-secret:1]"],
    ["DB_PASSWORD=hunter22 next", "DB_PASSWORD=[redacted:named-secret:1] next"],
    ['{"api_key": "abc123456789"}', '{"api_key": "[redacted:named-secret:1]"}'],
    ["x Zm9vYmFyQmF6cXV4MTIzNDU2Nzg5MEFiQ2RFZg y", "x [redacted:random:1] y"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "[redacted:jwt:1]"],
  ])("%j", (text, wanted) => expect(redact(text)).toBe(wanted));

  it("gets the same marker wherever it stands, another one another", () => {
    const run = redactor();
    expect(run.text("A_TOKEN=abcdefg1 B_TOKEN=abcdefg2")).toBe(
      "A_TOKEN=[redacted:named-secret:1] B_TOKEN=[redacted:named-secret:2]",
    );
    expect(run.text("again A_TOKEN=abcdefg1")).toBe("again A_TOKEN=[redacted:named-secret:1]");
    expect([...run.counts]).toEqual([["named-secret", 3]]);
  });
});

describe("no secret", () => {
  it.each([
    "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "id 0199c1de-1234-7abc-8def-0123456789ab",
    '"integrity": "sha512-xyamcHl5Jlm+KfI9Vn7k6Je+kqQ8bAmJtoWleQ7yNqUL9fwwc66+Q3bRO326U"',
    "API_KEY=$API_KEY and TOKEN=${TOKEN} and password: <your-password>",
    "const token = process.env.TOKEN; getToken(request)",
    "max_tokens: 4096, total_tokens=12",
    "src/some/long/path/with/many/parts/AndCamelCaseNames/file123.ts",
    "this_is_a_very_long_snake_case_identifier_With_Numbers_123",
    "password: required",
  ])("%j", (text) => expect(redact(text)).toBe(text));
});

it("leaves text without secrets as it is, and never finds anything in what it wrote", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (text) => {
      const once = redact(text);
      expect(redact(once)).toBe(once);
    }),
    { numRuns: 500 },
  );
});
