import type { parseXml } from "../../support/xml.ts";

type Element = ReturnType<typeof parseXml>;

/** The child of this name, or the test fails. */
export function child(element: Element, name: string): Element {
  const found = childrenOf(element, name)[0];
  if (!found) throw new Error(`<${element.name}> has no <${name}>`);
  return found;
}

export const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((each) => each.name === name);

export const textIn = (element: Element, name: string): string | undefined =>
  childrenOf(element, name)[0]?.text;

/** Times as RFC 822 writes them, with the four-digit year of RSS 2.0. */
const RFC_822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

const ONCE_IN_CHANNEL =
  "title link description language lastBuildDate image itunes:author itunes:type itunes:explicit itunes:image podcast:guid podcast:locked".split(
    " ",
  );
const ONCE_IN_ITEM =
  "title link guid pubDate description enclosure itunes:duration itunes:explicit itunes:image".split(" ");

/** Apple counts bytes. */
const isShort = (text = "") => Buffer.byteLength(text) <= 4_000;

/**
 * Lists what RSS 2.0, Apple's requirements and Podcasting 2.0 forbid, so that an empty list is a valid feed. No
 * validator on npm knows all three.
 */
export function feedFaults(rss: Element): string[] {
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  expect(rss.name === "rss" && rss.attributes.version === "2.0", "the root is no RSS 2.0");
  expect(rss.children.length === 1, "there is not one channel");
  const channel = child(rss, "channel");
  const once = (within: Element, names: string[]) => {
    for (const name of names)
      expect(childrenOf(within, name).length === 1, `${within.name} has not one ${name}`);
  };
  const isUrl = (text: string | undefined, fault: string) =>
    expect(/^https?:\/\/[^\s<>"]+$/.test(text ?? ""), fault);
  const isFlag = (text: string | undefined) =>
    expect(text === "true" || text === "false", `itunes:explicit is ${text}`);

  once(channel, ONCE_IN_CHANNEL);
  const [self] = childrenOf(channel, "atom:link");
  expect(
    self?.attributes.rel === "self" && self.attributes.type === "application/rss+xml",
    "no atom:link to itself",
  );
  expect(isShort(textIn(channel, "description")), "the channel's description is too long");
  isUrl(textIn(channel, "link"), "channel link");
  expect(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(textIn(channel, "language") ?? ""), "language");
  expect(RFC_822.test(textIn(channel, "lastBuildDate") ?? ""), "lastBuildDate");
  isFlag(textIn(channel, "itunes:explicit"));
  expect(["episodic", "serial"].includes(textIn(channel, "itunes:type") ?? ""), "itunes:type");
  expect(childrenOf(channel, "itunes:category").length > 0, "no category");
  expect(["yes", "no"].includes(textIn(channel, "podcast:locked") ?? ""), "podcast:locked");
  expect(
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(
      textIn(channel, "podcast:guid") ?? "",
    ),
    "podcast:guid",
  );
  const image = child(channel, "image");
  expect(textIn(image, "title") === textIn(channel, "title"), "the image has another title");
  expect(textIn(image, "link") === textIn(channel, "link"), "the image has another link");
  expect(/\.(jpg|png)$/.test(child(channel, "itunes:image").attributes.href ?? ""), "itunes:image");

  const items = childrenOf(channel, "item");
  for (const item of items) {
    once(item, ONCE_IN_ITEM);
    isUrl(textIn(item, "link"), "item link");
    expect(RFC_822.test(textIn(item, "pubDate") ?? ""), "pubDate");
    expect(child(item, "guid").attributes.isPermaLink === "false", "guid");
    expect(/^[1-9]\d*$/.test(textIn(item, "itunes:duration") ?? ""), "itunes:duration");
    isFlag(textIn(item, "itunes:explicit"));
    const { url = "", length = "", type } = child(item, "enclosure").attributes;
    isUrl(url, "enclosure url");
    expect(/\.mp3$/.test(new URL(url).pathname), "the enclosure's address has no ending");
    expect(/^[1-9]\d*$/.test(length) && type === "audio/mpeg", "enclosure");
    expect(isShort(textIn(item, "description")), "the description is too long");
  }
  const guids = items.map((item) => textIn(item, "guid"));
  expect(new Set(guids).size === guids.length, "a guid stands twice");
  return faults;
}
