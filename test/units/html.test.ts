import fc from "fast-check";
import { expect, test } from "vitest";
import { text } from "../../functions/lib/text/fields.ts";
import { sanitizeHtml } from "../../functions/lib/text/html.ts";

const REL = 'rel="nofollow ugc noopener"';

const NAMES = "a|b|strong|i|em|u|s|br|p|ul|ol|li|blockquote|code|pre";

/** Allows nothing but permitted tags, escaped text and our form of links. */
const ALLOWED = new RegExp(
  `^(?:[^<>&]|&(?:amp|lt|gt|quot);|</?(?:${NAMES})>|<br />|<a href="(?:https?://|mailto:)[^"<>\\s]+" ${REL}>)*$`,
  "i",
);

/** Whether tags close in the order they opened. */
function balanced(html: string): boolean {
  const open: string[] = [];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
    if (name === "br") continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

function expectClean(html: string): void {
  expect(html).toMatch(ALLOWED);
  expect(text(100_000).safeParse(html).success).toBe(true);
  expect(balanced(html)).toBe(true);
  expect(sanitizeHtml(html)).toBe(html);
}

test.each([
  ["<p>Plain <b>b</b> <i>i</i> <u>u</u> <s>s</s></p>"],
  ["<ul><li>one</li><li>two</li></ul><ol><li>x</li></ol>"],
  ["<blockquote><pre><code>x &lt; y</code></pre></blockquote>"],
  [`<a href="https://example.com/?a=1&amp;b=2#c" ${REL}>link</a>`],
  [`<a href="mailto:me@example.com" ${REL}>mail</a>`],
  ["a &amp; b &lt;script&gt; “quotes” é 日本 🎵"],
])("%s stays unchanged", (html) => {
  expect(sanitizeHtml(html)).toBe(html);
  expectClean(html);
});

test.each([
  ["a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"],
  ["one<br>two<br/>three", "one<br />two<br />three"],
  ["<b>never closed", "<b>never closed</b>"],
  ["<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"],
  [
    '<a href="http://x.example" onclick="x" target=_top rel=follow>x</a>',
    `<a href="http://x.example" ${REL}>x</a>`,
  ],
  ["<h1>Title</h1><div>text</div>", "Titletext"],
  ["a&#1;b&#x1b;c&#127;d&#x81;e&#10;f", "abcde\nf"],
  ['<a href="https://x.example/&#1;">x&#27;</a>', `<a href="https://x.example/" ${REL}>x</a>`],
  ['<p class=x style="color:red" id=y>x</p>', "<p>x</p>"],
])("%s is repaired", (html, clean) => {
  expect(sanitizeHtml(html)).toBe(clean);
  expectClean(clean);
});

test.each([
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<<script>alert(1)//<</script>",
  "<script/xss src=x>",
  "<img src=x onerror=alert(1)>",
  "<img src=`javascript:alert(1)`>",
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><p><style><img src=x onerror=alert(1)></style></p></svg>",
  '<math><mi//xlink:href="data:x,<script>alert(4)</script>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<object data=javascript:alert(1)>",
  "<embed src=javascript:alert(1)>",
  "<body onload=alert(1)>",
  "<input autofocus onfocus=alert(1)>",
  "<details open ontoggle=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<marquee onstart=alert(1)>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<link rel=stylesheet href=javascript:alert(1)>",
  "<base href=javascript:alert(1)//>",
  "<style>@import 'javascript:alert(1)'</style>",
  '<p style="background:url(javascript:alert(1))">x</p>',
  "<b onmouseover=alert(1)>x</b>",
  "<b/onclick=alert(1)>x</b>",
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;avascript&colon;alert(1)">x</a>',
  '<a href="\x01javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<a href="https:\\\\evil.example">x</a>',
  '<a href="https:evil.example">x</a>',
  '<a href="/settings">x</a>',
  '<a href="https://x.example/" onclick="alert(1)">x</a>',
  "<a href='https://x.example/\"><script>alert(1)</script>'>x</a>",
  "<a xlink:href=javascript:alert(1)>x</a>",
  "<!--><script>alert(1)</script>-->",
  "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version=1?><x onclick=alert(1)>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  "<title><img src=x onerror=alert(1)></title>",
  "<template><script>alert(1)</script></template>",
  "<xmp><img src=x onerror=alert(1)></xmp>",
  "<plaintext><b>x",
  "<table><tr><td><b>x<i>y</b>z</i></table>",
  "<p><b><a href=https://x.example>x<a href=https://y.example>y</p>",
  "<b".repeat(2_000),
  "<b>".repeat(5_000),
  "<ul><li>".repeat(3_000),
  "</b>".repeat(5_000),
  "&".repeat(1_000),
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&amp;lt;script&amp;gt;",
  "\u2028<b>\u2029</b>\ufeff",
])("%s (X44)", (html) => {
  const clean = sanitizeHtml(html);
  expectClean(clean);
  expect(clean.replace(/&\w+;/g, "")).not.toMatch(/<[^>]*(?:\son\w+|script:|style)/i);
});

const fragment = fc.constantFrom(
  "<b>",
  "</b>",
  "<p>",
  "</p>",
  "<ul>",
  "<li>",
  "</ul>",
  "<br>",
  "<pre>",
  "\n",
  "<a href=",
  "'",
  '"',
  ">",
  "<",
  "/",
  "https://x.example",
  "javascript:",
  "<script>",
  "</script>",
  "<style>",
  "</style>",
  "<svg>",
  "<math>",
  "<!--",
  "-->",
  "&lt;",
  "&#x3c;",
  "&",
  ";",
  "onclick=",
  "x",
  " ",
  "<table>",
  "<textarea>",
  "</textarea>",
  "<![CDATA[",
  "]]>",
  "<?",
);

test("sanitized HTML has only allowed tags and is a fixed point, for any input (X44)", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fragment, { maxLength: 30 }).map((all) => all.join("")),
        fc.string({ unit: "binary", maxLength: 200 }),
      ),
      (html) => expectClean(sanitizeHtml(html)),
    ),
    { numRuns: 3_000 },
  );
});
