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

test.each([...segments])("nobody can be called %s", (segment) => {
  expect(isReserved(segment)).toBe(true);
});

test.each(["Admin", "me", "ME", "Sign out", "sign-out", " settings ", "àdmin", "Apps!"])(
  "as a username %j is refused by the address that it would get",
  (name) => {
    expect(isReserved(slug(name))).toBe(true);
    expect(Username.safeParse(name).success).toBe(false);
  },
);

test.each(["Ana", "Me and you", "sound of apps", "admin2"])("%j is a name like any other", (name) => {
  expect(Username.safeParse(name).success).toBe(true);
});
