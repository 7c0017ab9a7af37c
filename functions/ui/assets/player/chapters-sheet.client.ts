import { findAll } from "../elements.ts";
import { Places } from "../places.ts";
import { loadStyle } from "./later-styles.ts";
import { fillFromPage } from "./page-sheet.ts";
import type { player as Player } from "./player.ts";

export { followChapters } from "./present-chapter.ts";

/** The chapters of the track that plays, in a sheet. The present one is marked. */

let places: Places | undefined;

export async function fillChaptersSheet(sheet: HTMLDialogElement, player: typeof Player): Promise<void> {
  await loadStyle("podcast.css");
  const mark = () => places?.mark(player.position * 1_000);
  if (!places) for (const name of ["time", "state"]) player.addEventListener(name, mark);
  places ??= new Places([]);
  fillFromPage(sheet, player, {
    selector: "#chapters",
    ofPage: ".chapter-link",
    title: "Chapters",
    empty: "This track has no chapters.",
    unloaded: "The chapters could not be loaded.",
    prepare(content) {
      places = new Places(findAll(content, ".chapter", HTMLElement));
      mark();
    },
  });
}
