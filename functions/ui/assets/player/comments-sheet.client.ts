import { fillFromPage } from "./page-sheet.ts";
import type { player as Player } from "./player.ts";

/** The comments on the track that plays, in a sheet: those that its page shows, to be read and heard. */
export const fillCommentsSheet = (sheet: HTMLDialogElement, player: typeof Player): void =>
  fillFromPage(sheet, player, {
    selector: "#comments",
    // Forms, and links to them.
    ofPage: ".comment-acts, .composer, template",
    title: "Comments",
    empty: "Nobody has commented yet.",
    unloaded: "The comments could not be loaded.",
  });
