import { expect, test } from "vitest";
import { askedNext, DEFAULT_NEXT, formActionTo, ownPath, signInPath } from "../../functions/ui/next.ts";

test.each([
  undefined,
  "",
  "settings",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/%09/\u0000",
  "https://evil.example",
  "HTTPS:/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  " /settings",
  "/ü",
  `/${"x".repeat(32_000)}`,
])("%j leads to the default page (O28)", (next) => {
  expect(ownPath(next)).toBe(DEFAULT_NEXT);
});

test.each([
  "/",
  "/settings",
  "/authorize?client_id=a&redirect_uri=https%3A%2F%2Fb.example%2F&state=a%20b",
  "/a//b",
  "/settings#profile",
  `/authorize?redirect_uri=https%3A%2F%2Fb.example%2F&state=${"%26".repeat(4_000)}&x=1`,
])("%j is a path of ours and is returned unchanged", (next) => {
  expect(ownPath(next)).toBe(next);
  for (const path of [signInPath(next), `/signin?${new URLSearchParams({ next })}`])
    expect(askedNext(`https://auth.example${path}`)).toBe(next);
});

test("a long path is not encoded again", () => {
  const next = `/authorize?state=${"%26".repeat(4_000)}`;
  expect(signInPath(next).length).toBe(`/signin?next=${next}`.length);
});

test.each([
  ["/settings", "'self'"],
  ["/session/code?state=s&challenge=c", "'self' https://web.example"],
  ["/authorize?redirect_uri=https%3A%2F%2Fapp.example%3A8443%2Fcb", "'self' https:"],
  ["/authorize?redirect_uri=com.example.app%3A%2Fcb", "'self' com.example.app:"],
  ["/authorize?redirect_uri=javascript%3Aalert(1)", "'self'"],
  ["/authorize?redirect_uri=https%3A%2F%2Fa%3Bsandbox%2F", "'self'"],
  ["/authorize?redirect_uri=https%3A%2F%2Fa%20script-src%20*%2F", "'self'"],
  ["/authorize?redirect_uri=nonsense", "'self'"],
])("a form that leads to %s may end up at %s (O26)", (next, sources) => {
  expect(formActionTo({ WEB_URL: "https://web.example/here" }, next)).toBe(sources);
});
