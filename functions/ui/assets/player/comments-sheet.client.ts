import { secondsOf } from "../clock.ts";
import { closest, find, findAll, findIfAny } from "../elements.ts";
import { make } from "./make.ts";
import type { player as Player } from "./player.ts";
import type { Entry } from "./player-queue.ts";

/** The comments on the track that plays, in a sheet: those that its page shows, to be read and heard. */

const PLACE = ".sheet-comments";

/** Forms, and links to them, which need the page around them. */
const OF_PAGE = ".comment-acts, .composer, template, h2";

const filled = new WeakMap<HTMLElement, Entry | undefined>();

/** Shows them, and those of the next track as long as the sheet is open. */
export function fillCommentsSheet(sheet: HTMLDialogElement, player: typeof Player): void {
  if (!filled.has(sheet)) {
    player.addEventListener("track", () => {
      if (sheet.open && filled.get(sheet) !== player.entry) fill(sheet, player);
    });
    sheet.addEventListener("click", (event) => playMoment(event, player));
  }
  fill(sheet, player);
}

async function fill(sheet: HTMLDialogElement, { entry }: typeof Player): Promise<void> {
  filled.set(sheet, entry);
  const place = find(sheet, PLACE, HTMLElement);
  place.replaceChildren(make("p", "soft", "Loading …"));
  const part = await commentsOf(entry?.page ?? "").catch(() => undefined);
  // The next track may have begun meanwhile.
  if (filled.get(sheet) !== entry) return;
  const count = part && findIfAny(part, "h2", HTMLElement)?.textContent;
  find(sheet, "h2", HTMLElement).textContent = count ?? "Comments";
  place.replaceChildren(
    ...(part ? readable(part) : [make("p", "soft", "The comments could not be loaded.")]),
  );
}

/** The part of the track's page. */
async function commentsOf(address: string): Promise<HTMLElement> {
  const reply = await fetch(address, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return find(page, "#comments", HTMLElement);
}

/** Without names that the page's own comments have. */
function readable(part: HTMLElement): Element[] {
  for (const one of findAll(part, OF_PAGE, HTMLElement)) one.remove();
  for (const one of findAll(part, "[id]", Element)) one.removeAttribute("id");
  const shown = [...part.children];
  return shown.length > 0 ? shown : [make("p", "soft", "Nobody has commented yet.")];
}

/** A comment's time plays from there. */
function playMoment(event: MouseEvent, player: typeof Player): void {
  const link = closest(event.target, ".comment-moment", HTMLAnchorElement);
  const at = link && secondsOf(new URL(link.href).searchParams.get("t"));
  if (at === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  player.seek(at);
  player.play();
}
