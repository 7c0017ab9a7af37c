import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished, TestRunner } from "vitest";
import { isFull } from "../support/repeats.ts";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Two encodes on a busy machine may take longer than Playwright's half a minute. */
export const PATIENCE_MS = 90_000;

export interface Visit {
  page: Page;
  /** Console errors, thrown errors and violations of the policy. */
  complaints: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Runs before the page loads. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Running browsers by their further arguments. The files of a worker share them, because starting one takes a second. */
const running = new Map<string, Promise<Browser>>();

async function browserWith(further: string[]): Promise<Browser> {
  const key = further.join(" ");
  const before = await running.get(key);
  if (before?.isConnected()) return before;
  const args = [...QUIET, ...further];
  const executablePath = inject("chromium");
  if (!executablePath) throw new Error("There is no browser");
  const started = chromium.launch({ executablePath, headless: true, args });
  running.set(key, started);
  return started;
}

/** A browser with further arguments. Each visit gets a context, which closes with its test. */
export function launchBrowser(...further: string[]) {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await browserWith(further);
  });
  afterAll(() => Promise.all(contexts.map((context) => context.close())));

  return {
    async visit(url: string, { prepare, ...options }: VisitOptions = {}): Promise<Visit> {
      // Tests answer requests themselves, which a worker's would pass by.
      const context = await browser.newContext({ serviceWorkers: "block", ...options });
      // A page that plays on would take from the tests after it. Contexts opened before the tests serve them all.
      if (TestRunner.getCurrentTest()) onTestFinished(() => close(context));
      else contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => {
        const isComplaint = message.type() === "error" || message.type() === "warning";
        if (isComplaint && !/^Service Worker registration blocked/.test(message.text()))
          complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await prepare?.(page);
      await page.goto(url);
      return { page, complaints };
    },
  };
}

/** Forgives requests under way: a player makes some until its page is gone, and tests' routes fail with them. */
async function close(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}

// Code for the page is text, because DOM types would clash with the Worker's.
const AUDIO = "document.querySelector('audio')";

export const position = (page: Page) => page.evaluate<number>(`${AUDIO}.currentTime`);
export const source = (page: Page) => page.evaluate<string>(`${AUDIO}.currentSrc`);
export const paused = (page: Page) => page.evaluate<boolean>(`${AUDIO}.paused`);

export const seekTo = (page: Page, seconds: number) =>
  page.evaluate(`void (${AUDIO}.currentTime = ${seconds})`);

/**
 * Lets tracks play for a minute instead of seven seconds. A busy machine would come to the next track, or another chapter,
 * before a test looks.
 */
export const slowDown = (page: Page) =>
  page.addInitScript(`for (const name of ["playbackRate", "defaultPlaybackRate"]) {
    const rate = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, name);
    const set = function (to) { rate.set.call(this, to / 10); };
    Object.defineProperty(HTMLMediaElement.prototype, name, { ...rate, set });
  }`);

/** Polls from outside, because waiting inside the page would need what its policy forbids. */
const becomesTrue = (page: Page, condition: string) =>
  expect.poll(() => page.evaluate<boolean>(condition), { message: condition }).toBe(true);

export const playsPast = (page: Page, seconds: number) =>
  becomesTrue(page, `!${AUDIO}.paused && ${AUDIO}.currentTime > ${seconds}`);

export const playsToTheEnd = (page: Page) => becomesTrue(page, `${AUDIO}.ended`);

export const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`,
  );

export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`${selector} is not reached by Tab`);
}

/** Pixels by which the page is wider than the window. */
export const overflow = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Widths and colour schemes of a page's check. Two show each of the four once; `--full` takes every pair. */
export function looks(narrow: number, wide: number): [width: number, colorScheme: "light" | "dark"][] {
  const usual: ReturnType<typeof looks> = [
    [narrow, "dark"],
    [wide, "light"],
  ];
  return isFull ? [...usual, [narrow, "light"], [wide, "dark"]] : usual;
}
