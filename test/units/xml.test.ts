import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { xmlDocument } from "../../functions/lib/http/format/xml.ts";
import { parseXml, readXml } from "../support/xml.ts";

const Item = z.object({ id: z.int(), kind: z.literal("secret-token") }).meta({ id: "XmlItem" });
const Items = z.union([
  z.array(Item),
  z.object({ collection: z.array(Item), next_href: z.string().optional() }),
]);

const body = (value: unknown, schema?: z.ZodType) => xmlDocument(value, schema).split("\n")[1];

describe("the root", () => {
  test.each<[string, unknown, z.ZodType, string]>([
    ["is what the value says it is", { kind: "track" }, z.object({}), "<track><kind>track</kind></track>"],
    ["or what the schema does", {}, z.object({ kind: z.literal("web-profile") }), "<web_profile/>"],
    ["or the schema's name", {}, z.object({}).meta({ id: "OwnThing" }), "<own_thing/>"],
    ["of nothing in a list has a name too", [], Items, '<secret_tokens type="array"/>'],
    [
      "of a page is the list's",
      { collection: [], next_href: "http://x/?a&b" },
      Items,
      '<secret_tokens><collection type="array"/><next_href>http://x/?a&amp;b</next_href></secret_tokens>',
    ],
    [
      "of a list is the plural",
      [],
      z.array(z.object({}).meta({ id: "XmlActivity" })),
      '<xml_activities type="array"/>',
    ],
  ])("%s", (_, value, schema, xml) => {
    expect(body(value, schema)).toBe(xml);
  });
});

test("types come from the schema and the value", () => {
  const Typed = z.object({
    bpm: z.number().nullable(),
    id: z.int(),
    created_at: z.string(),
    title: z.string(),
    tags: z.array(z.string()),
    none: z.string().nullable(),
    on: z.boolean(),
  });
  const created_at = "2026/11/20 10:11:12 +0000";
  const typed = { bpm: 120, id: 1, created_at, title: created_at, tags: ["a", ""], none: null, on: false };
  expect(body(typed, Typed)).toBe(
    `<response><bpm type="float">120</bpm><id type="integer">1</id><created_at type="datetime">${created_at}</created_at>` +
      `<title>${created_at}</title><tags type="array"><tag>a</tag><tag/></tags><none nil="true"/><on type="boolean">false</on></response>`,
  );
});

test.each([
  ["]]>", "]]&gt;"],
  ["&amp;<!ENTITY x>", "&amp;amp;&lt;!ENTITY x&gt;"],
  ["a\u0000b\u0001c\u001fd", "abcd"],
  ["\ufffe\uffff", ""],
  ["a\ud800b\udc00c", "abc"],
  ["😀 日本", "😀 日本"],
  ["a\r\nb\tc", "a&#13;\nb\tc"],
])("%j is text (X49)", (text, written) => {
  const document = xmlDocument({ title: text }, undefined);
  expect(parseXml(document).name).toBe("response");
  expect(document).toContain(written ? `<title>${written}</title>` : "<title/>");
});

/** Drops the characters that XML cannot hold. */
const text = fc
  .string({ unit: "binary" })
  .map((value) => value.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ""));
const name = fc.oneof(fc.stringMatching(/^[a-z][a-z_]{0,8}$/), fc.constantFrom("1", "9x", "__proto_", "a b"));
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    // Empty objects and empty texts look the same.
    fc.dictionary(name, tie("value"), { minKeys: 1, maxKeys: 4 }),
  ),
}));

test("a strict parser reads back any JSON value unchanged (X49)", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const json: unknown = JSON.parse(JSON.stringify(value));
      expect(readXml(xmlDocument({ json }, undefined))).toEqual({ json });
    }),
    { numRuns: 2_000 },
  );
});
