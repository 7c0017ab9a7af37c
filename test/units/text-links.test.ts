import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sanitizeHtml } from "../../functions/lib/text/html.ts";
import { linkedHtml, linkedText } from "../../functions/lib/text/text-links.ts";
import { inLinearTime } from "../support/linear.ts";

const LENGTH_S = 4000;
const TARGETS = {
  siteUrl: "https://sound.example",
  momentUrl: (seconds: number) => (seconds < LENGTH_S ? `/ana/song?t=${seconds}` : undefined),
};

/** Links of HTML, as `text → address`. */
const linksIn = (html: string): string[] =>
  Array.from(html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g), ([, href, text]) =>
    `${text} → ${href}`.replaceAll("&amp;", "&"),
  );

const linksOf = (text: string) => linksIn(linkedText(text, TARGETS));

/** An address that is its own text. */
const itself = (url: string) => `${url} → ${url}`;

describe("addresses", () => {
  test.for([
    ["See https://a.example.", "https://a.example"],
    ["(https://a.example/b)", "https://a.example/b"],
    ["https://a.example/Song_(live)", "https://a.example/Song_(live)"],
    ["(see https://a.example/Song_(live)).", "https://a.example/Song_(live)"],
    ["[site](https://a.example/b)", "https://a.example/b"],
    ["<https://a.example/b>", "https://a.example/b"],
    ["“https://a.example/b”", "https://a.example/b"],
    ['"https://a.example/b"!', "https://a.example/b"],
    ["**https://a.example/b**", "https://a.example/b"],
    ["https://a.example/b?c=1&d=2#e, and more", "https://a.example/b?c=1&d=2#e"],
    ["https://youtu.be/abc_-_", "https://youtu.be/abc_-_"],
    ["https://a.example/@ana?t=0:32", "https://a.example/@ana?t=0:32"],
    ["HTTPS://A.example", "HTTPS://A.example"],
    ["http://1.2.3.4:8080/", "http://1.2.3.4:8080/"],
    ["詳細は「https://a.example/b」。", "https://a.example/b"],
    ["https://a.example/b。次", "https://a.example/b"],
    ["曲https://a.example/bを聴く", "https://a.example/b"],
    ["https://ja.wikipedia.org/wiki/音楽", "https://ja.wikipedia.org/wiki/音楽"],
    ["https://日本語.example/", "https://日本語.example/"],
    ["האתר https://a.example/ב שלנו", "https://a.example/ב"],
    ["🎧https://a.example/🎵 🎧", "https://a.example/🎵"],
    ["https://a.example/\u202egpj.exe", "https://a.example/"],
  ] as const)("%j", ([text, url]) => {
    expect(linksOf(text)).toEqual([itself(url)]);
  });

  test("may begin with www", () => {
    expect(linksOf("www.a.example, www.")).toEqual(["www.a.example → https://www.a.example"]);
  });

  test.for([
    "javascript:alert(1) data:text/html,x ftp://a.example mailto:ana@a.example //a.example",
    "https:// http://. https://… https://a https://a. https://localhost https://-",
    "https://bank.example@evil.example https://a:b@evil.example",
    "https:\\\\a.example xhttps://a.example",
    "a.example song.mp3",
    "https://[::1 https://a.example:99999",
  ])("not %j", (text) => {
    expect(linksOf(text)).toEqual([]);
    expect(linkedText(text, TARGETS)).toBe(text);
  });

  test("lead search engines nowhere, unless they are the site's own", () => {
    expect(linkedText("https://a.example/b https://sound.example/ana", TARGETS)).toBe(
      '<a href="https://a.example/b" rel="ugc nofollow noopener" dir="ltr">https://a.example/b</a> ' +
        '<a href="https://sound.example/ana" dir="ltr">https://sound.example/ana</a>',
    );
    for (const elsewhere of ["https://sound.example.evil.example", "http://sound.example"])
      expect(linkedText(elsewhere, TARGETS)).toContain("nofollow");
  });

  test("of a site without a domain are its own", () => {
    const targets = { siteUrl: "http://localhost:8787" };
    expect(linksIn(linkedText("http://localhost:8787/ana http://localhost:1/", targets))).toEqual([
      itself("http://localhost:8787/ana"),
    ]);
  });
});

describe("names", () => {
  test.for([
    ["Thanks @ana!", "@ana", "ana"],
    ["(@ana-k, again)", "@ana-k", "ana-k"],
    ["@Ana_K's drums", "@Ana_K", "ana-k"],
    [".@ana.", "@ana", "ana"],
    ["with @ana- and", "@ana", "ana"],
    ["@1975", "@1975", "1975"],
    ["@anaさんの曲", "@ana", "ana"],
    ["曲は@ana、", "@ana", "ana"],
    ["＠ana", "＠ana", "ana"],
    ["תודה @ana.", "@ana", "ana"],
    ["🥁@ana🥁", "@ana", "ana"],
    ["@ana: yes", "@ana", "ana"],
  ] as const)("%j", ([text, link, permalink]) => {
    expect(linksOf(text)).toEqual([`${link} → https://sound.example/${permalink}`]);
  });

  test.for([
    "ana@mail.example ana.k@mail.example ana+k@mail @mail.example",
    "@ana@social.example @ana.social.example @ana:matrix.example",
    "@@ana @ @- @a @__ a.example/@ana",
    "@josé @юля юля@ana",
    "@120bpm @8pm @96kHz @2x",
    "@settings @Upload @1234567890",
    `@${"a".repeat(65)}`,
  ])("not %j", (text) => {
    expect(linksOf(text)).toEqual([]);
  });
});

describe("moments", () => {
  test.for([
    ["0:00", 0],
    ["That drop at 0:32!", 32],
    ["00:32", 32],
    ["(1:02:03)", 3723],
    ["[0:32] Verse", 32],
    ["0:32: the drop", 32],
    ["0:32, the drop", 32],
    ["@0:32", 32],
    ["66:39 the end", 3999],
    ["0:32 am Anfang", 32],
    ["0:32のギター", 32],
    ["曲の0:32、", 32],
    ["הצליל ב 0:32 יפה", 32],
    ["🔥0:32🔥", 32],
    ["Drop:0:32", 32],
  ] as const)("%j", ([text, seconds]) => {
    expect(linksOf(text)).toEqual([`${text.match(/\d[:\d]*\d/)?.[0]} → /ana/song?t=${seconds}`]);
  });

  test("stand in ranges and lists, and may have fractions", () => {
    expect(linksOf("0:05-0:10, 0:15–0:20/0:25,0:30 1:00.5")).toEqual(
      [5, 10, 15, 20, 25, 30, 60].map((at, n) => {
        const clock = ["0:05", "0:10", "0:15", "0:20", "0:25", "0:30", "1:00.5"][n];
        return `${clock} → /ana/song?t=${at}`;
      }),
    );
  });

  test.for([
    "ratio 3:2, 16:9, 1:75, 1:2:03, 1:60:00",
    "10:30 am, 10:30AM, 8:00 p.m., 10:30pm",
    "20:15 Uhr, 12:00 o'clock, 20:00 UTC, 20:00 CET, 9:00 PST",
    "午後3:20 오후 3:20",
    "2026-11-28 12:30 and 2026-11-28T12:30, on 28.11.2026, 20:00",
    "v1.0:32 12:30:45:10 a0:32 0:32b 1234:10 0:323",
    "66:40, 1:06:40, 99:59:59",
  ])("not %j", (text) => {
    expect(linksOf(text)).toEqual([]);
  });

  test("lead nowhere where there is no track", () => {
    expect(linkedText("0:32", { siteUrl: TARGETS.siteUrl })).toBe("0:32");
  });

  test("keep the address of the track in one attribute", () => {
    const momentUrl = () => '/a?b="><script>&t=1';
    expect(linkedText("0:32", { ...TARGETS, momentUrl })).toBe(
      '<a href="/a?b=&quot;&gt;&lt;script&gt;&amp;t=1" dir="ltr">0:32</a>',
    );
  });
});

describe("HTML", () => {
  const REL = 'rel="nofollow ugc noopener"';

  test.for([
    `<a href="https://a.example" ${REL}>https://b.example <b>@ana</b> 0:32</a>`,
    "<code>@ana 0:32</code>",
    "<pre>https://a.example <b>x</b> @ana</pre>",
    `<a href="https://a.example/@ana" ${REL}>x</a>`,
    "&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; \"quotes\" 'é'",
    "",
  ])("%j stays as it is", (html) => {
    expect(sanitizeHtml(html)).toBe(html);
    expect(linkedHtml(html, TARGETS)).toBe(html);
  });

  test("gets links around its markup", () => {
    const html = `<p>By <b>@ana</b><br />0:32 <a href="https://a.example" ${REL}>x</a> 0:33</p>`;
    expect(linkedHtml(html, TARGETS)).toBe(
      '<p>By <b><a href="https://sound.example/ana" dir="ltr">@ana</a></b><br />' +
        `<a href="/ana/song?t=32" dir="ltr">0:32</a> <a href="https://a.example" ${REL}>x</a> ` +
        '<a href="/ana/song?t=33" dir="ltr">0:33</a></p>',
    );
  });

  test("with entities in an address keeps them", () => {
    expect(linkedHtml("https://a.example/?b=1&amp;lt=2&lt;b&gt;", TARGETS)).toBe(
      '<a href="https://a.example/?b=1&amp;lt=2" rel="ugc nofollow noopener" dir="ltr">' +
        "https://a.example/?b=1&amp;lt=2</a>&lt;b&gt;",
    );
  });
});

const fragment = fc.constantFrom(
  ...[
    "https://",
    "www.",
    "a.example",
    "@",
    "ana",
    "0:32",
    "1:",
    ".",
    "(",
    ")",
    "&lt;",
    "&",
    '"',
    "'",
    " ",
    "を",
  ],
  ...[
    "<b>",
    "</b>",
    "<code>",
    "</code>",
    "<a href='https://a.example'>",
    "</a>",
    "<br>",
    "<",
    ">",
    "\u202e",
    "/",
  ],
);

/** Text, tags without attributes, and links to the web, the site and moments. */
const HARMLESS =
  /^(?:[^<>&]|&(?:amp|lt|gt|quot);|<\/?[a-z]+(?: \/)?>|<a href="(?:https?:\/\/|\/ana\/song\?t=)[^"<>\s]+"(?: rel="(?:nofollow ugc|ugc nofollow) noopener")?(?: dir="ltr")?>)*$/i;

test("any text keeps its words and gets harmless links, none within another or code", () => {
  const texts = fc.oneof(
    fc.array(fragment, { maxLength: 30 }).map((all) => all.join("")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const clean = sanitizeHtml(text);
      const html = linkedHtml(clean, TARGETS);
      expect(html.replace(/<\/?a[^>]*>/g, "")).toBe(clean.replace(/<\/?a[^>]*>/g, ""));
      expect(html).toMatch(HARMLESS);
      for (const { index } of html.matchAll(/<a [^>]*dir="ltr">/g)) {
        const before = Array.from(html.slice(0, index).matchAll(/<(\/?)(?:a|code|pre)\b/g), ([, end]) => end);
        expect(before.filter(Boolean)).toHaveLength(before.length / 2);
      }
    }),
    { numRuns: 3_000 },
  );
});

test.for([
  "@",
  "@a",
  "@ana",
  "https://",
  "https://a.example/(",
  "https://a.example/)",
  "www.",
  "0:32",
  "0:32:",
  "1",
  "<",
  "&",
  "-_",
  "を",
  "午",
  "é",
])("a million of %j cost no square of their number", (part) => {
  const text = part.repeat(1_000_000 / part.length);
  inLinearTime(() => linkedText(text, TARGETS));
  inLinearTime(() => linkedText(`https://a.example/${text}`, TARGETS));
  inLinearTime(() => linkedHtml(text, TARGETS));
});
