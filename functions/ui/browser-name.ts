/** In this order, because Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPT|Opera)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bDuckDuckGo\/|\bDdg\//, "DuckDuckGo"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\bCriOS\//, "Chrome"],
  [/\bHeadlessChrome\//, "Chrome"],
  [/\bChromium\//, "Chromium"],
  [/\bChrome\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
];

/** In this order, because Android claims to be Linux, and iPhones to be like Mac OS X. */
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/**
 * Names a browser as its user would, such as `Firefox on Linux`. Omits unknown parts; `undefined` if nothing is known.
 */
export function browserName(userAgent: string | undefined): string | undefined {
  const called = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [called(BROWSERS), called(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system && `A browser on ${system}`);
}
