import { expect, test } from "vitest";
import * as z from "zod";
import { elementValue, parseXml } from "../../functions/lib/http/body/xml-body.ts";
import { shapeOf } from "../../functions/lib/http/format/shape.ts";

const Playlist = z.object({
  playlist: z.object({
    title: z.string(),
    release_day: z.int().nullish(),
    bpm: z.number().optional(),
    downloadable: z.boolean().default(false),
    id: z.union([z.int(), z.string()]).optional(),
    tracks: z.array(z.object({ id: z.int() })).optional(),
    genres: z.array(z.string()).optional(),
  }),
});

const read = (xml: string, schema: z.ZodType = Playlist) => {
  const value = elementValue(parseXml(xml), shapeOf(schema));
  return JSON.parse(JSON.stringify(value)) as unknown;
};

test("names use underscores or hyphens; types come from the document or the schema", () => {
  const whole = {
    playlist: {
      title: " 12 & <b> ",
      release_day: 4,
      bpm: 120.5,
      downloadable: true,
      id: "7",
      tracks: [{ id: 1 }, { id: 2 }],
      genres: ["a", ""],
    },
  };
  const untyped = `<playlist><title> 12 &amp; &#60;b&#x3e; </title><release-day> 4 </release-day><bpm>120.5</bpm>
    <downloadable>true</downloadable><id>7</id><tracks><track><id>1</id></track><track><id>2</id></track></tracks>
    <genres><genre>a</genre><genre/></genres></playlist>`;
  expect(read(untyped)).toEqual(whole);
  const typed = `<?xml version="1.0" encoding="UTF-8"?><!-- a --><?b c?>
    <playlist xmlns="urn:x"><title><![CDATA[ 12 & <b> ]]></title><release_day type="integer">4</release_day>
    <bpm type="float">120.5</bpm><downloadable type="boolean">1</downloadable><id type="string">7</id>
    <tracks type="array"><track><id type="integer">1</id></track><track><id type="integer">2</id></track></tracks>
    <genres type="array"><genre>a</genre><genre></genre></genres></playlist>`;
  expect(read(typed)).toEqual(whole);
});

test("nil is null, and an empty element is as empty as the schema allows", () => {
  expect(read('<playlist><release-day nil="true"/><title/><tracks/></playlist>')).toEqual({
    playlist: { release_day: null, title: "", tracks: [] },
  });
  expect(read("<playlist/>")).toEqual({ playlist: {} });
});

test("a schema without a wrapper takes any root", () => {
  const Upload = z.object({ size: z.int(), numbers: z.array(z.int()) });
  expect(read("<upload><size>44</size><numbers><number>1</number></numbers></upload>", Upload)).toEqual({
    size: 44,
    numbers: [1],
  });
  expect(read("<tracks><id>1</id></tracks>")).toEqual({ id: "1" });
});

test("a value of the wrong type stays text, so that the schema refuses it by name", () => {
  const wrong = "<playlist><release-day>x</release-day><bpm type='integer'>1.5</bpm></playlist>";
  expect(read(wrong)).toEqual({ playlist: { release_day: "x", bpm: "1.5" } });
});

const BOMB = `<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "${"&b;".repeat(100)}">]><a>&c;</a>`;

test.each<[string, string]>([
  ["nothing", ""],
  ["text", "x"],
  ["an open element", "<a>"],
  ["two roots", "<a/><b/>"],
  ["crossed elements", "<a><b></a></b>"],
  ["a bare ampersand", "<a>&</a>"],
  ["an attribute without quotes", "<a b=c/>"],
  ["an attribute twice", "<a b='1' b='2'/>"],
  ["a field twice", "<playlist><title>a</title><title>b</title></playlist>"],
  ["text beside elements", "<playlist>x<title>a</title></playlist>"],
  ["a document type (X50)", "<!DOCTYPE a><a/>"],
  ["an external entity (X50)", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ["an external DTD (X50)", '<!DOCTYPE a SYSTEM "http://169.254.169.254/"><a/>'],
  ["a parameter entity (X50)", '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/">%b;]><a/>'],
  ["entities within entities (X50)", BOMB],
  ["an unknown entity (X50)", "<a>&nbsp;</a>"],
  ["a character that XML has not (X50)", "<a>&#0;</a>"],
  ["NUL (X28)", "<a>\0</a>"],
  ["another encoding", '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
  ["21 levels", "<a>".repeat(21) + "</a>".repeat(21)],
  ["500,000 open elements", "<a>".repeat(300_000)],
  ["200,000 elements", `<a>${"<b/>".repeat(200_000)}</a>`],
])("%s is 400", (_, xml) => {
  expect(() => read(xml)).toThrow(expect.objectContaining({ status: 400 }));
});

test("names cannot reach a prototype (X21)", () => {
  const sent =
    "<playlist><__proto__><polluted>1</polluted></__proto__><constructor>1</constructor></playlist>";
  read(sent);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("a megabyte of any input parses at once (X81)", () => {
  for (const filling of ["x", "&#120;", "<b/>", "<![CDATA[x]]>", "]", "\r\n"])
    try {
      read(`<playlist><title>${filling.repeat(1_000_000 / filling.length)}</title></playlist>`);
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
    }
  const attributes = Array.from({ length: 100_000 }, (_, n) => `a${n}=''`).join(" ");
  expect(read(`<playlist ${attributes}/>`)).toEqual({ playlist: {} });
});
