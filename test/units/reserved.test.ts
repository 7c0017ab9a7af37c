import { expect, test } from "vitest";
import { Username } from "../../functions/api/users/account-input.ts";
import { isReserved } from "../../functions/lib/text/reserved.ts";
import { slug } from "../../functions/lib/text/slug.ts";
import { read, sourcePaths } from "../support/structure.ts";

const ROUTE = /\.(?:get|post|put|delete|page|form|otherwise)\(\s*["`]\/([^"`/]+)/g;

/** First words of the paths in any file of the service, and some second ones. */
const segments = new Set(
  sourcePaths()
    .filter((path) => /^(?:functions|workers\/local)\/.*\.tsx?$/.test(path))
    .flatMap((path) => Array.from(read(path).matchAll(ROUTE), ([, segment = ""]) => segment))
    .filter((segment) => /^[a-z.]/.test(segment)),
);

test("the search finds routes", () => {
  for (const known of ["me", "tracks", "signin", "settings", "oauth", "static"])
    expect(segments).toContain(known);
});

test.each([...segments])("nobody can be called %s, a path of the service (X107)", (segment) => {
  expect(isReserved(segment)).toBe(true);
});

/** First path segments that the site will need. */
const FUTURE =
  "about status metrics privacy terms changelog developers library history tags report legal discover search upload feed you stream charts admin help";

test.each(FUTURE.split(" "))("nobody can be called %s, which the site will need (X107)", (segment) => {
  expect(isReserved(segment)).toBe(true);
});

test.each([
  "Admin",
  "me",
  "ME",
  "Sign out",
  "sign-out",
  " settings ",
  "àdmin",
  "Apps!",
  "oauth",
  "connect",
  "ａｐｐｓ",
])("the username %j is refused because of its permalink (X107)", (name) => {
  expect(isReserved(slug(name))).toBe(true);
  expect(Username.safeParse(name).success).toBe(false);
});

test.each(["Ana", "Me and you", "sound of apps", "admin2"])("%j is an ordinary name", (name) => {
  expect(Username.safeParse(name).success).toBe(true);
});

test.each([
  ["ﬁle", "file"],
  ["Ⓐna", "ana"],
  ["A\u0301na", "ana"],
  ["ａｎａ", "ana"],
  ["an\u200ba", "an-a"],
])("%j is no second %s: it shares the permalink, or looks different (X106)", (name, address) => {
  expect(slug(name)).toBe(address);
});

test.each(["..", ".", "/", "a\u0000na", "ana\nmaria", "ana\u2028maria"])(
  "%j is no valid username (X106, X107)",
  (name) => {
    expect(Username.safeParse(name).success).toBe(false);
  },
);
