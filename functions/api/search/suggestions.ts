import * as z from "zod";
import type { Database } from "../../../db/client.ts";
import type { Caller } from "../../../db/queries/caller.ts";
import { type SuggestedRow, suggest } from "../../../db/queries/suggestions.ts";
import { apiUrl, type Links, urn, webUrl } from "../../lib/http/links.ts";
import { pageUrl, resourceId, resourceUri, resourceUrn } from "../../lib/http/reply-fields.ts";
import { about, text } from "../../lib/text/fields.ts";
import { MAX_SEARCH_CHARS, parseSearch } from "../../lib/text/search.ts";
import { artworkUrl, avatarUrl } from "../images/links.ts";

export const SuggestionText = text(MAX_SEARCH_CHARS)
  .default("")
  .describe("The text so far. A single letter of a script with spaces suggests nothing.");

const Suggestion = z
  .strictObject({
    id: resourceId(338914811904778),
    kind: z.enum(["track", "playlist", "user"]).meta(about("Kind of the resource.", "track")),
    urn: resourceUrn("tracks:338914811904778"),
    uri: resourceUri("tracks/338914811904778"),
    title: z.string().meta(about("The title, or a user's name.", "Night Train")),
    username: z.string().meta(about("The owner's name, or the user's.", "ana")),
    permalink_url: pageUrl("ana/night-train"),
    artwork_url: z
      .url()
      .nullable()
      .meta(
        about(
          "Artwork or avatar, JPEG. Replace `large` with another format's name for another size. Null without artwork.",
          "https://api.soundpost.example/images/eyJh-large.jpg",
        ),
      ),
  })
  .meta({ id: "Suggestion" });
export type Suggestion = z.infer<typeof Suggestion>;

export const Suggestions = z
  .strictObject({ suggestions: z.array(Suggestion).describe("The best first, eight at most.") })
  .meta({ id: "Suggestions" });

const represent = (links: Links, row: SuggestedRow): Suggestion => ({
  id: row.id,
  kind: row.kind,
  urn: urn(links, `${row.kind}s`, row.id),
  uri: apiUrl(links, `/${row.kind}s/${row.id}`),
  title: row.name,
  username: row.owner,
  permalink_url: webUrl(links, `/${pathOf(row)}`),
  artwork_url:
    row.kind === "user"
      ? avatarUrl(links, row.picture)
      : artworkUrl(links, { artwork_version: row.picture, artwork_colors: row.colors }),
});

function pathOf({ kind, permalink, owner_permalink }: SuggestedRow): string {
  if (kind === "user") return permalink;
  return `${owner_permalink}/${kind === "track" ? "" : "sets/"}${permalink}`;
}

/** One letter begins too many words. In scripts without spaces it may be one. */
const isTooShort = (typed: string) => /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]?$/u.test(typed);

export async function suggestionsFor(
  links: Links,
  db: Database,
  caller: Caller,
  q: string,
): Promise<Suggestion[]> {
  const typed = q.trim();
  const search = parseSearch({ q: isTooShort(typed) ? "" : typed });
  const rows = await suggest(db, caller, typed, search);
  return rows.map((row) => represent(links, row));
}
