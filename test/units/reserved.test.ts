import { expect, test } from "vitest";
import { Username } from "../../functions/accounts/input.ts";
import { isReserved } from "../../functions/accounts/reserved.ts";
import { slug } from "../../functions/http/slug.ts";
import { read, sourcePaths } from "../support/structure.ts";

const ROUTE = /\.(?:get|post|put|delete|all|route)\(\s*["`]\/([^"`/]+)/g;

/** First words of every path that any file of the service names, with some that are second ones. */
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

test.each([...segments])("X107: nobody can be called %s", (segment) => {
  expect(isReserved(segment)).toBe(true);
});

/** First path segments that the site is going to need. */
const FUTURE =
  "about status metrics privacy terms changelog developers library history tags report legal discover search upload feed you stream charts admin help";

test.each(FUTURE.split(" "))("X107: nobody can be called %s, which the site will need", (segment) => {
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
])("X107: as a username %j is refused by the address that it would get", (name) => {
  expect(isReserved(slug(name))).toBe(true);
  expect(Username.safeParse(name).success).toBe(false);
});

test.each(["Ana", "Me and you", "sound of apps", "admin2"])("%j is a name like any other", (name) => {
  expect(Username.safeParse(name).success).toBe(true);
});

test.each([
  ["ﬁle", "file"],
  ["Ⓐna", "ana"],
  ["A\u0301na", "ana"],
  ["ａｎａ", "ana"],
  ["an\u200ba", "an-a"],
])("X106: %j is not a second %s, but the same address or one that looks different", (name, address) => {
  expect(slug(name)).toBe(address);
});

test.each(["..", ".", "/", "a\u0000na", "ana\nmaria", "ana\u2028maria"])(
  "X106, X107: %j is no username",
  (name) => {
    expect(Username.safeParse(name).success).toBe(false);
  },
);
