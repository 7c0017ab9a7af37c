import { expect, test } from "vitest";
import { negotiate } from "../../functions/lib/http/format/accept.ts";

const OFFERS = [
  { name: "json", mediaType: "application/json", aliases: ["text/json"] },
  { name: "xml", mediaType: "application/xml", aliases: ["text/xml"] },
];

test.each<[string | undefined, string | undefined]>([
  [undefined, "json"],
  ["", "json"],
  ["*/*", "json"],
  ["*/*;q=x", "json"],
  ["*/*;q=2", "json"],
  [";;;,,,", "json"],
  ["x".repeat(5_000), "json"],
  ["application/json", "json"],
  ["APPLICATION/XML", "xml"],
  ["text/xml; charset=utf-8", "xml"],
  ["application/*", "json"],
  ["application/*;q=0.5, application/xml", "xml"],
  ["text/xml;q=0.4,application/json;q=0.3", "xml"],
  ["application/xml;q=0.3 , application/json ; q=0.301", "json"],
  ["application/json;q=0, */*", "xml"],
  ["application/xml;q=0, */*;q=0.1", "json"],
  ["application/xml;q=1.000", "xml"],
  ['text/html;x="a,b", application/xml', "xml"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "xml"],
  ["application/xml, */*", "xml"],
  ["*/*, text/xml;q=1", "xml"],
  ["application/xml;q=0.5, */*;q=0.501", "json"],
  ["application/json;q=0", undefined],
  ["application/xml;q=0.000", undefined],
  ["*/*;q=0", undefined],
  ["image/png", undefined],
  ["text/html", undefined],
])("%j prefers %s among JSON and XML (X36)", (accept, best) => {
  expect(negotiate(accept, OFFERS)).toBe(best);
});

test("the first offer wins among equals, unless another is named and it is not", () => {
  expect(negotiate("*/*", [...OFFERS].reverse())).toBe("xml");
  expect(negotiate("application/json, application/xml", [...OFFERS].reverse())).toBe("xml");
  expect(negotiate("application/json, text/plain, */*", [...OFFERS].reverse())).toBe("json");
});

test("an endless header is parsed in negligible time (X36)", () => {
  expect(negotiate("application/xml;".repeat(50_000), OFFERS)).toBe("xml");
  expect(negotiate("a/b;q=0.5,".repeat(50_000), OFFERS)).toBeUndefined();
});
