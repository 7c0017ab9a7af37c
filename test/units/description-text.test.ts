import { describe, expect, test } from "vitest";
import { htmlOf, writtenOf } from "../../functions/lib/text/description-text.ts";
import { sanitizeHtml } from "../../functions/lib/text/html.ts";
import { inLinearTime } from "../support/linear.ts";

describe("a description is edited as text", () => {
  test.for([
    ["One line", "One line"],
    ["First\nsecond", "First<br />second"],
    ["A paragraph\n\nand another\nof two lines", "<p>A paragraph</p><p>and another<br />of two lines</p>"],
    ["1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2"],
    ["", ""],
  ] as const)("%j", ([text, html]) => {
    expect(sanitizeHtml(htmlOf(text))).toBe(html);
    expect(writtenOf(html)).toBe(text);
  });

  test("line ends of browsers count as one", () => {
    expect(htmlOf("a\r\nb\r\n\r\nc")).toBe("<p>a<br />b</p><p>c</p>");
  });

  test("a list, a link or bold text stays HTML, so that editing the title loses none of it", () => {
    const html = '<p>See <a href="https://example.com" rel="nofollow ugc noopener">here</a></p>';
    expect(writtenOf(html)).toBe(html);
    expect(sanitizeHtml(htmlOf(html))).toBe(html);
  });

  test("text that looks like markup is not turned into markup", () => {
    const html = "<p>Write &lt;b&gt; for bold</p>";
    expect(sanitizeHtml(htmlOf(writtenOf("Write &lt;b&gt; for bold")))).toBe(html);
    expect(sanitizeHtml(htmlOf(writtenOf(html)))).toBe(html);
  });

  test("tags without an end cost no square of their number", () => {
    const tags = 2_000_000;
    expect(inLinearTime(() => htmlOf("<a".repeat(tags)))).toHaveLength("&lt;a".length * tags);
  });
});
