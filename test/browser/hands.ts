import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Ways in which a person uses a page, so that one journey is tested with each. */
export interface Hands {
  press(target: Locator): Promise<void>;
  write(target: Locator, words: string): Promise<void>;
  tick(target: Locator): Promise<void>;
  choose(target: Locator, path: string): Promise<void>;
}

export const byPointer: Hands = {
  press: (target) => target.click(),
  write: (target, words) => target.fill(words),
  tick: (target) => target.check(),
  choose: (target, path) => target.setInputFiles(path),
};

/** Only keys: Tab leads to everything, and each place where it stops is seen. */
export const byKeyboard: Hands = {
  async press(target) {
    await tabOnto(target);
    await target.page().keyboard.press("Enter");
  },
  async write(target, words) {
    await tabOnto(target);
    await target.page().keyboard.press("Control+A");
    await target.page().keyboard.type(words);
  },
  async tick(target) {
    const isRadio = (await target.getAttribute("type")) === "radio";
    const name = await target.getAttribute("name");
    // Tab stops at the group's chosen button, and arrows choose another.
    await tabOnto(isRadio ? target.page().locator(`[name="${name}"]:checked`) : target);
    await target.page().keyboard.press(isRadio ? "ArrowDown" : "Space");
    await expect.poll(() => target.isChecked()).toBe(true);
  },
  async choose(target, path) {
    // Asked first, because the browser must know in time that no window is to open.
    const choosing = target.page().waitForEvent("filechooser");
    await tabOnto(target);
    await target.page().keyboard.press("Enter");
    await (await choosing).setFiles(path);
  },
};

/** More than any page of the journey has places to stop. */
const MOST_STOPS = 150;

async function tabOnto(target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  const page = target.page();
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.and(page.locator(":focus")).count()) return;
    await page.keyboard.press("Tab");
    const fault = await page.evaluate<string>(FAULT_OF_FOCUS);
    if (fault) throw new Error(`${fault}, on the way to ${target}`);
  }
  throw new Error(`${target} is not reached by Tab`);
}

/** Why the focus cannot be seen, or "". The bars at the top and the foot must not hide it. */
const FAULT_OF_FOCUS = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return "";
  const seen = element.offsetWidth > 1 ? element : (element.labels?.[0] ?? element);
  const { x, y, width, height } = seen.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(seen);
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) return "No ring around " + element.outerHTML.slice(0, 200);
  const places = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]];
  const isSeen = places.some(([across, down]) => {
    const top = document.elementFromPoint(x + width * across, y + height * down);
    return top && (seen.contains(top) || top.contains(seen) && top !== document.body);
  });
  return isSeen ? "" : "Hidden focus on " + element.outerHTML.slice(0, 200);
})()`;
