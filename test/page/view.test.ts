/** Pages in a real browser: what they show, that nothing in them acts, and that a large one is smooth. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claudeStore } from "../../bench/generate.ts";
import { type Place, place } from "../cli/run.js";
import { launch, noBrowser, overflow, show } from "./browser.js";
import { hostileStore, SCRIPT, SECRET } from "./hostile.js";

interface Lost {
  kind: string;
  axis: string;
  level: string;
  reason: string;
  count: number;
}

async function made(at: Place, args: readonly string[]): Promise<string> {
  const { code, err } = await at.run(["view", ...args, "-o", "page.html"]);
  expect(err + code).toBe("0");
  return join(at.cwd, "page.html");
}

describe.skipIf(noBrowser !== undefined)(`pages${noBrowser === undefined ? "" : ` (${noBrowser})`}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it.each([360, 1440])("a session with its losses, %i px wide", async (width) => {
    const at = place();
    const { page, faults } = await show(
      browser,
      await made(at, [at.store("claude", "subagent"), "--latest", "--to", "codex"]),
      width,
    );
    await page.waitForSelector("article");
    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.locator("main, nav, header.top").count()).toBe(3);
    expect(await page.locator("nav.tree button").count()).toBeGreaterThan(1);
    expect(await overflow(page)).toBe(0);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await page.locator("nav.tree").isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  it.each([
    ...["compacted", "forked", "subagent", "tools"].map((name) => ["claude", name, "pi"] as const),
    ["codex", "compacted", "claude"],
    ["codex", "tools", "opencode"],
    ["opencode", "fork", "codex"],
    ["opencode", "tools", "gemini"],
  ] as const)("%s, %s → %s: every loss of `compare` is marked, as often", async (harness, name, to) => {
    const at = place();
    const store = at.store(harness, name);
    const path = await made(at, [store, "--latest", "--to", to]);
    const compared = await at.run([
      "compare",
      store,
      "--latest",
      "--to",
      to,
      "--kinds",
      "sessions",
      "--json",
    ]);
    const losses = (JSON.parse(compared.out) as { losses: Lost[] }).losses;
    expect(losses.length).toBeGreaterThan(3);
    const { page } = await show(browser, path);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const sums = (selector: string) =>
      page.evaluate((chosen) => {
        const totals: Record<string, number> = {};
        for (const { dataset } of document.querySelectorAll<HTMLElement>(chosen)) {
          const kind = dataset.kind ?? "";
          totals[kind] = (totals[kind] ?? 0) + Number(dataset.count);
        }
        return totals;
      }, selector);
    const facts = await page.evaluate(() => document.querySelector("#facts")?.textContent ?? "");
    const kinds = (JSON.parse(facts) as { losses: { axis: string; level: string; count: number }[] }).losses;
    const named = (totals: Record<string, number>) =>
      Object.entries(totals)
        .map(([kind, count]) => `${kinds[Number(kind)]?.axis} ${kinds[Number(kind)]?.level} ${count}`)
        .sort();
    const expected = losses.map(({ axis, level, count }) => `${axis} ${level} ${count}`).sort();
    expect(named(await sums("article .loss li"))).toEqual(expected);
    expect(named(await sums("#side .loss-kind"))).toEqual(expected);
    expect(await page.locator("article .loss details pre").count()).toBeGreaterThan(0);
  });

  it("what would act is text", async () => {
    const at = place();
    const store = join(at.home, "hostile");
    hostileStore(store);
    const path = await made(at, [store, "--to", "codex"]);
    const { page, faults } = await show(browser, path);
    await page.waitForSelector("article");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    expect(await page.evaluate(() => (globalThis as { hit?: unknown }).hit)).toBeUndefined();
    expect(await page.locator("#talk").textContent()).toContain(SCRIPT);
    expect(await page.locator("h1, .facts").allInnerTexts()).toEqual([
      expect.stringContaining("<script>"),
      expect.stringContaining("<img"),
    ]);
    expect(await page.locator("iframe, #talk script, [onerror]").count()).toBe(0);
    const addresses = await page.evaluate(() =>
      [...document.querySelectorAll("a[href], img[src]")].map(
        (e) => e.getAttribute("href") ?? e.getAttribute("src")?.slice(0, 15),
      ),
    );
    expect(addresses).toEqual(["https://example.org/a", "data:image/png;"]);
    expect(await page.locator("#talk").textContent()).toContain("bell ␇ colour red turned [U+202E]txt");
    expect(await page.locator(".diff .went").textContent()).toBe("-two\n");
    expect(await page.locator(".diff .came").textContent()).toBe("+2\n");
    expect(await overflow(page)).toBe(0);
    expect(faults).toEqual([]);
    expect(readFileSync(path, "utf8")).toMatch(
      /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    );
  });

  it("keys", async () => {
    const at = place();
    const { page, faults } = await show(
      browser,
      await made(at, [at.store("claude", "tools"), "--latest", "--to", "codex"]),
    );
    await page.waitForSelector("article");
    const current = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("article")].findIndex((e) => e.classList.contains("current")),
      );
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await current()).toBe(1);
    await page.keyboard.press("k");
    expect(await current()).toBe(0);
    await page.keyboard.press("n");
    expect(await page.locator("article.current.lossy").count()).toBe(1);
    await page.keyboard.press("Enter");
    expect(await page.locator("article.current details[open]").count()).toBeGreaterThan(0);
    await page.keyboard.press("/");
    await page.keyboard.type("notes.txt");
    await page.keyboard.press("Enter");
    expect((await page.locator("article.current").textContent())?.toLowerCase()).toContain("notes.txt");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    expect(await page.locator("dialog[open]").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    expect(faults).toEqual([]);
  });

  it("50 MB scroll at the speed of a hand", async () => {
    const at = place();
    const { store } = claudeStore(join(at.home, "large"), 50_000_000);
    const path = await made(at, [store]);
    const { page, faults } = await show(browser, path);
    await page.waitForSelector("article");
    const frames = await page.evaluate(async () => {
      const times: number[] = [];
      let before = performance.now();
      for (let i = 0; i < 90; i++) {
        scrollBy(0, 700);
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - before);
        before = performance.now();
      }
      return times.sort((a, b) => a - b);
    });
    // A hand feels a delay from about 100 ms on; this machine may have others on it.
    expect(frames[Math.floor(frames.length / 2)]).toBeLessThan(100);
    expect(frames.at(-4)).toBeLessThan(400);
    await page.keyboard.press("G");
    await page.waitForSelector("article.current");
    expect(await page.locator("article").count()).toBeLessThan(2_000);
    expect(faults).toEqual([]);
  });

  it.each([360, 1440])("the matrix, %i px wide", async (width) => {
    const at = place();
    const { code, err } = await at.run(["matrix", "--html"]);
    expect(err + code).toBe("0");
    const { page, faults } = await show(browser, join(at.cwd, "matrix.html"), width, "dark");
    const rows = (
      JSON.parse((await at.run(["matrix", "--json"])).out) as { matrix: { levels: Record<string, string> }[] }
    ).matrix;
    const dropped = rows
      .flatMap(({ levels }) => Object.values(levels))
      .filter((level) => level === "dropped").length;
    expect(await page.locator("td .cell.dropped").count()).toBe(dropped);
    await page.locator("td .cell.dropped").first().focus();
    expect(await page.locator("#words").textContent()).toContain("does not arrive");
    expect(await overflow(page)).toBe(0);
    expect(faults).toEqual([]);
  });
});

it("a file that is no page stays; a page is made anew; what is shared holds no secret and no native record", async () => {
  const at = place();
  const store = join(at.home, "hostile");
  hostileStore(store);
  const path = await made(at, [store, "--latest"]);
  expect(readFileSync(path, "utf8")).toContain(SECRET);
  expect(await made(at, [store, "--latest", "--share", "--to", "codex"])).toBe(path);
  expect(readFileSync(path, "utf8")).not.toContain('"native":');
  expect(readFileSync(path, "utf8")).not.toContain(SECRET);
  const { code, err } = await at.run(["view", store, "--latest", "-o", join(store, "projects")]);
  expect(code).not.toBe(0);
  expect(err).toContain("no page of asp-convert");
});
