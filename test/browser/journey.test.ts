import { describe, inject, test } from "vitest";
import { byPointer } from "./hands.ts";
import { openJourneys } from "./journey.support.ts";

// The only test of `npm test` that needs a browser.
describe.skipIf(!inject("chromium"))("the site", () => {
  const { publishAndListen } = openJourneys();

  test("a musician publishes, and a listener finds, hears, likes and comments", () =>
    publishAndListen(byPointer));
});
