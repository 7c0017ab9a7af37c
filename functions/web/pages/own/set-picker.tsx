import type { Context } from "hono";
import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { clock } from "../../../ui/words.ts";
import type { TrackPage } from "../discovery/lists.ts";
import { Cover } from "../rows/cover.tsx";
import { More, withCursor } from "../rows/paging.tsx";
import { PlayButton } from "../rows/play-button.tsx";

/** A set's limit, as the API has it. */
const MOST_TRACKS = 500;

const SOURCES = [
  ["mine", "Your tracks"],
  ["all", "All public tracks"],
] as const;

/** The tracks that a search of the picker finds. Undefined before one is looked for. */
interface Found extends Pick<TrackPage, "collection" | "next_href"> {
  words: string;
  source: string;
}

/** Searches as the page's address says. Others' tracks need words, or the list would be everybody's. */
export async function findForSet(c: Context<AppEnv>): Promise<Found | undefined> {
  const { find, from } = c.req.query();
  if (find === undefined) return undefined;
  const words = find.trim().slice(0, 200);
  const source = from === "all" && words ? "all" : "mine";
  const query = new URLSearchParams({ limit: "20", linked_partitioning: "true", ...(words && { q: words }) });
  const path = withCursor(`${source === "all" ? "/tracks" : "/me/tracks"}?${query}`, c.req.url);
  const { collection, next_href } = await readApi<TrackPage>(c, path);
  return { collection, next_href, words, source };
}

interface SetPickerProps {
  c: Context<AppEnv>;
  set: Pick<Playlist, "id" | "title">;
  /** Ids of the tracks that the set holds. */
  held: Set<number>;
  found: Found | undefined;
}

/** Adds tracks to the set that the page edits. What was typed in the page's other forms stays. */
export const SetPicker = ({ c, set, held, found }: SetPickerProps) => {
  const reader = readerOf(c);
  if (held.size >= MOST_TRACKS)
    return (
      <section class="own-section" id="picker">
        <h2>Add tracks</h2>
        <p>The set is full: it holds {MOST_TRACKS} tracks. Remove one to add another.</p>
      </section>
    );
  return (
    <section class="own-section" id="picker">
      <h2>Add tracks</h2>
      <Search page={c.req.path} found={found} />
      {found && found.collection.length === 0 && (
        <p role="status">No track fits. Look for other words, or among all public tracks.</p>
      )}
      {found && found.collection.length > 0 && (
        <ul class="rows picker" aria-label="Tracks found">
          {found.collection.map((track) => (
            <FoundTrack reader={reader} set={set} track={track} isHeld={held.has(track.id)} />
          ))}
        </ul>
      )}
      {found && <More reader={reader} next={found.next_href} />}
    </section>
  );
};

const Search = ({ page, found }: { page: string; found: Found | undefined }) => (
  <search>
    <form class="picker-search" action={`${page}#picker`} data-turbo-action="replace">
      <label for="picker-find">Title, artist or tag</label>
      <input id="picker-find" type="search" name="find" maxlength={200} value={found?.words ?? ""} />
      <fieldset>
        <legend class="sr-only">Where to look</legend>
        {SOURCES.map(([value, words]) => (
          <label>
            <input type="radio" name="from" value={value} checked={(found?.source ?? "mine") === value} />
            {words}
          </label>
        ))}
      </fieldset>
      <button class="button quiet" type="submit">
        Search
      </button>
    </form>
  </search>
);

interface FoundTrackProps {
  reader: Reader;
  set: Pick<Playlist, "id" | "title">;
  track: Track;
  isHeld: boolean;
}

const FoundTrack = ({ reader, set, track, isHeld }: FoundTrackProps) => (
  <li class="row" id={`found-${track.id}`} tabindex={-1}>
    <div class="row-cover">
      <Cover of={track} size="row" />
      <PlayButton track={track} />
    </div>
    <div class="row-words">
      <p class="row-title">
        <a href={track.permalink_url}>{track.title}</a>
        {track.sharing === "private" && <span class="badge">Private</span>}
      </p>
      <p class="row-by">
        <bdi>{track.metadata_artist}</bdi>
      </p>
    </div>
    {track.duration > 0 && <span class="order-length">{clock(track.duration)}</span>}
    <div class="row-acts">
      {isHeld ? (
        <p class="picker-held">
          <Icon name="check" /> In the set
        </p>
      ) : (
        <form
          class="act-form"
          method="post"
          action={`/you/acts/add-to-set/${set.id}`}
          data-then={`#found-${track.id}`}
          data-said={`Added ${track.title} to ${set.title}.`}
        >
          <input type="hidden" name="form_token" value={reader.actToken} />
          <input type="hidden" name="next" value={reader.path} />
          <input type="hidden" name="track" value={String(track.id)} />
          <button class="act" type="submit" aria-label={`Add ${track.title}`}>
            Add
          </button>
        </form>
      )}
    </div>
  </li>
);
