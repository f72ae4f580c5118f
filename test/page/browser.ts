/** The system's own browser, with no network of its own accord. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const found = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Why the tests of pages are skipped; undefined: they run. In CI there is no skipping. */
export const noBrowser =
  found === undefined && !process.env.CI
    ? "no Chromium here: install it (apt-get install chromium), or name it with CHROMIUM=PATH"
    : undefined;

export async function launch(): Promise<Browser> {
  if (found === undefined)
    throw new Error("no Chromium: apt-get install -y chromium, or CHROMIUM=PATH names one");
  return chromium.launch({
    executablePath: found,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface Shown {
  page: Page;
  /** What the console said of errors, and every address but the page's own that was asked for. */
  faults: string[];
}

export async function show(
  browser: Browser,
  path: string,
  width = 1440,
  scheme: "light" | "dark" = "light",
): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  onTestFinished(() => page.close());
  const faults: string[] = [];
  const url = `file://${path}`;
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) faults.push(request.url());
  });
  await page.goto(url);
  return { page, faults };
}

/** Pixels that the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
