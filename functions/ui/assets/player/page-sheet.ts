import { secondsOf } from "../clock.ts";
import { closest, find, findAll, findIfAny } from "../elements.ts";
import { pageAt } from "../page-at.ts";
import { make } from "./make.ts";
import type { player as Player } from "./player.ts";
import type { Entry } from "./player-queue.ts";

/** A sheet that shows a part of the page of the track that plays. Moments in it play from there. */

interface Part {
  /** Selects it on the page. */
  selector: string;
  /** Selects what needs the page around it. */
  ofPage: string;
  /** Heads the sheet while the part is not there. */
  title: string;
  empty: string;
  unloaded: string;
  /** Hears of new content before it is shown. */
  prepare?(content: HTMLElement): void;
}

const filled = new WeakMap<HTMLElement, Entry | undefined>();

/** Shows the part, and that of the next track as long as the sheet is open. */
export function fillFromPage(sheet: HTMLDialogElement, player: typeof Player, part: Part): void {
  if (!filled.has(sheet)) {
    player.addEventListener("track", () => {
      if (sheet.open && filled.get(sheet) !== player.entry) fill(sheet, player, part);
    });
    sheet.addEventListener("click", (event) => playMoment(event, player));
  }
  fill(sheet, player, part);
}

async function fill(sheet: HTMLDialogElement, { entry }: typeof Player, part: Part): Promise<void> {
  filled.set(sheet, entry);
  const place = find(sheet, ".sheet-part", HTMLElement);
  const say = (text: string) => place.replaceChildren(make("p", "soft", text));
  say("Loading …");
  // Offline, a page that tells so comes in its place.
  const record = await pageAt(entry?.page ?? "").then(recordIn, () => undefined);
  // The next track may have begun meanwhile.
  if (filled.get(sheet) !== entry) return;
  const content = record && findIfAny(record, part.selector, HTMLElement);
  const title = content && findIfAny(content, "h2", HTMLElement)?.textContent;
  find(sheet, "h2", HTMLElement).textContent = title ?? part.title;
  if (content) strip(content, part.ofPage);
  if (!content?.firstElementChild) return say(record ? part.empty : part.unloaded);
  part.prepare?.(content);
  place.replaceChildren(...content.children);
  findIfAny(place, "[aria-current]", HTMLElement)?.scrollIntoView({ block: "center" });
}

const recordIn = (page: Document) => findIfAny(page, "article.record", HTMLElement);

/** Takes away the title, what needs the page, and names that the page's own part has. */
function strip(content: HTMLElement, ofPage: string): void {
  for (const one of findAll(content, `h2, ${ofPage}`, HTMLElement)) one.remove();
  for (const one of findAll(content, "[id]", Element)) one.removeAttribute("id");
}

/** A time plays from there. */
function playMoment(event: MouseEvent, player: typeof Player): void {
  const link = closest(event.target, ".comment-moment, .chapter", HTMLAnchorElement);
  const at = link && momentOf(link);
  if (at === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  player.seek(at);
  player.play();
}

/** Seconds. The address knows whole ones only. */
const momentOf = ({ href, dataset: { at } }: HTMLAnchorElement): number | undefined =>
  at === undefined ? secondsOf(new URL(href).searchParams.get("t")) : Number(at) / 1_000;
