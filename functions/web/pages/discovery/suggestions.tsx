import type { Context } from "hono";
import { type Suggestion, suggestionsFor } from "../../../api/search/suggestions.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { MAX_SEARCH_CHARS } from "../../../lib/text/search.ts";
import { SITE_VISITOR } from "../../../ui/viewer.ts";
import { Avatar } from "../rows/avatar.tsx";
import { Cover } from "../rows/cover.tsx";

/** Seconds. Letters that are deleted and typed again ask nobody. */
const FRESH_S = 60;

/** Sends the options of the search field at the top of pages, the same to everybody. */
export async function sendSuggestions(c: Context<AppEnv>): Promise<Response> {
  const q = (c.req.query("q") ?? "").slice(0, MAX_SEARCH_CHARS);
  const suggestions = await suggestionsFor(c.env, c.get("db").forVisitors(), SITE_VISITOR, q);
  c.header("Cache-Control", `private, max-age=${FRESH_S}`);
  c.header("X-Robots-Tag", "noindex");
  return c.html(<Options suggestions={suggestions} />);
}

const KINDS = { track: "Track", playlist: "Set", user: "Person" };

const Options = ({ suggestions }: { suggestions: Suggestion[] }) => (
  <>
    {suggestions.map((one, place) => (
      <a class="suggestion" id={`suggestion-${place}`} role="option" tabindex={-1} href={one.permalink_url}>
        <Picture of={one} />
        <span class="suggestion-words">
          <span class="suggestion-title">{one.title}</span>
          <span class="suggestion-kind">
            {KINDS[one.kind]}
            {one.kind !== "user" && ` · ${one.username}`}
          </span>
        </span>
      </a>
    ))}
  </>
);

const Picture = ({ of: { kind, artwork_url, ...rest } }: { of: Suggestion }) => {
  if (kind === "user") return <Avatar of={{ ...rest, avatar_url: artwork_url ?? "" }} size="row" />;
  return kind === "track" ? (
    <Cover of={{ ...rest, kind, artwork_url, waveform_url: null }} size="row" />
  ) : (
    <Cover of={{ ...rest, kind, artwork_url }} size="row" />
  );
};
