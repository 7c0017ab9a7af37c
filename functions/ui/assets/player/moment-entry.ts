import { clock } from "../clock.ts";
import { find } from "../elements.ts";
import type { TimedComment } from "./waveform-comments.ts";

export interface PicturedComment extends TimedComment {
  id: number;
  /** The author's id and page. */
  user: number;
  person: string;
}

/** Width and height of an avatar on a waveform, in CSS pixels. */
export const SIZE = 28;

/** A copy of the author's avatar. */
export const pictureOf = ({ user }: PicturedComment, pictures: HTMLTemplateElement): Node =>
  find(pictures.content, `[data-user="${user}"]`, HTMLElement).cloneNode(true);

const textOf = (tag: string, text: string, name = ""): HTMLElement => {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
};

const linkOf = (text: string, href: string): HTMLAnchorElement => {
  const link = document.createElement("a");
  link.textContent = text;
  link.href = href;
  return link;
};

/** A comment in the card of its avatar. */
export function entryOf(comment: PicturedComment, pictures: HTMLTemplateElement): HTMLElement {
  const { at, by, person, text, id } = comment;
  const entry = document.createElement("article");
  const name = linkOf("", person);
  name.append(textOf("bdi", by));
  const moment = new URL(location.href);
  moment.searchParams.set("t", String(Math.floor(at / 1000)));
  const isListed = document.querySelector(`#comment-${id}`) !== null;
  const thread = linkOf("Show", `${isListed ? "" : `${location.pathname}?thread=${id}`}#comment-${id}`);
  thread.dataset.close = "";
  const head = textOf("p", "", "moment-by");
  head.append(name, " at ", linkOf(clock(at / 1000), moment.href), " · ", thread);
  const words = textOf("p", text, "moment-text");
  words.dir = "auto";
  entry.append(pictureOf(comment, pictures), head, words);
  return entry;
}
