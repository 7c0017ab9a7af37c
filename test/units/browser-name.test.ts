import { expect, test } from "vitest";
import { browserName } from "../../functions/ui/browser-name.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const IPHONE = "iPhone; CPU iPhone OS 17_5 like Mac OS X";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`, "Edge on Windows"],
  [`Mozilla/5.0 (${MAC}) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 OPR/120.0.0.0`, "Opera on macOS"],
  [`Mozilla/5.0 (${MAC}) ${WEBKIT} Version/17.5 Safari/605.1.15`, "Safari on macOS"],
  [`Mozilla/5.0 (${IPHONE}) ${WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1`, "Safari on iPhone"],
  [`Mozilla/5.0 (${IPHONE}) ${WEBKIT} CriOS/126.0 Mobile/15E148 Safari/604.1`, "Chrome on iPhone"],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
  ["Mozilla/5.0 (X11; Linux x86_64) SomethingNew/1.0", "A browser on Linux"],
  ["curl/8.14.1", "curl"],
])("%s is named in plain words", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test.each([undefined, "", "Unheard/1.0", "<script>"])("%s has no name", (userAgent) => {
  expect(browserName(userAgent)).toBeUndefined();
});
