import { sanitizeHtml } from "../../lib/text/html.ts";

/** Characters, as many as a description that a user writes. */
const MAX_NOTES = 20_000;

/** Sanitizes the notes of a feed, and cuts those that are too long before their tags are closed. */
export function notesOf(notes: string | null): string | null {
  if (notes === null) return null;
  let clean = sanitizeHtml(notes);
  for (let most = MAX_NOTES; clean.length > MAX_NOTES; most = Math.floor(most * 0.9))
    clean = sanitizeHtml(notes.slice(0, most).replace(/<[^>]*$/, ""));
  return clean || null;
}
