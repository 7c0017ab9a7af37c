import { type SaxesAttributePlain, SaxesParser } from "saxes";
import { FetchFailure } from "./public-fetch.ts";

/** Levels of nesting. Feeds have six. */
const MAX_DEPTH = 30;
/** A feed of 10,000 episodes has some 300,000. */
const MAX_ELEMENTS = 1_000_000;

/** Named references that feeds use without declaring them. */
const ENTITIES = {
  nbsp: "\u00a0",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rsquo: "’",
  lsquo: "‘",
  eacute: "é",
};

export class FeedElement {
  readonly name: string;
  readonly attributes: Record<string, string> = {};
  text = "";
  readonly children: FeedElement[] = [];

  constructor(name: string) {
    this.name = name;
  }

  all(name: string): FeedElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** Text of the first child of any of these names that has one. */
  firstText(...names: string[]): string | undefined {
    for (const name of names)
      for (const child of this.all(name)) {
        const text = child.text.trim();
        if (text) return text;
      }
    return undefined;
  }

  attribute(name: string, attribute: string): string | undefined {
    return this.all(name)
      .find((child) => child.attributes[attribute]?.trim())
      ?.attributes[attribute]?.trim();
  }
}

/**
 * Parses a feed as leniently as podcast programs do. A document type is refused, because it could declare entities
 * that grow or are fetched. `onItem` gets each item, which is not kept. Returns the channel.
 */
export function parseFeed(xml: string, onItem: (item: FeedElement) => void): FeedElement {
  const stack: FeedElement[] = [];
  let channel: FeedElement | undefined;
  let count = 0;
  const parser = new SaxesParser();
  Object.assign(parser.ENTITIES, ENTITIES);
  parser.on("error", () => {});
  parser.on("doctype", () => {
    throw new FetchFailure("doctype");
  });
  parser.on("opentagstart", ({ name }) => {
    if (stack.length === MAX_DEPTH || ++count > MAX_ELEMENTS) throw new FetchFailure("not_a_feed");
    const element = new FeedElement(name);
    if (name === "channel") channel ??= element;
    if (name !== "item") stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  parser.on("attribute", ({ name, value }: SaxesAttributePlain) => {
    const element = stack.at(-1);
    if (element) element.attributes[name] = value;
  });
  const append = (more: string) => {
    const element = stack.at(-1);
    if (element) element.text += more;
  };
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    const closed = stack.pop();
    if (closed?.name === "item") onItem(closed);
  });
  parser.write(xml).close();
  if (!channel) throw new FetchFailure("not_a_feed");
  return channel;
}
