import type { Child } from "hono/jsx";
import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import { isMachineTag, parseTags } from "../../../api/tracks/tags.ts";
import { Day } from "../../../ui/day.tsx";
import { clock, number } from "../../../ui/words.ts";

const CREATIVE_COMMONS = "https://creativecommons.org";

const LICENSES: Record<Track["license"], { name: string; href?: string }> = {
  "all-rights-reserved": { name: "All rights reserved" },
  "no-rights-reserved": {
    name: "No rights reserved",
    href: `${CREATIVE_COMMONS}/publicdomain/zero/1.0/`,
  },
  "cc-by": { name: "CC BY", href: `${CREATIVE_COMMONS}/licenses/by/4.0/` },
  "cc-by-nc": { name: "CC BY-NC", href: `${CREATIVE_COMMONS}/licenses/by-nc/4.0/` },
  "cc-by-nd": { name: "CC BY-ND", href: `${CREATIVE_COMMONS}/licenses/by-nd/4.0/` },
  "cc-by-sa": { name: "CC BY-SA", href: `${CREATIVE_COMMONS}/licenses/by-sa/4.0/` },
  "cc-by-nc-nd": { name: "CC BY-NC-ND", href: `${CREATIVE_COMMONS}/licenses/by-nc-nd/4.0/` },
  "cc-by-nc-sa": { name: "CC BY-NC-SA", href: `${CREATIVE_COMMONS}/licenses/by-nc-sa/4.0/` },
};

const tagPath = (tag: string): string => `/tags/${encodeURIComponent(tag)}`;

/** The line below a track's artist. */
export const Counts = ({ track, createdAt }: { track: Track; createdAt: string }) => (
  <ul class="counts">
    <Count of={track.playback_count} one="play" many="plays" />
    {track.duration > 0 && <li>{clock(track.duration)}</li>}
    <li>
      <Day at={createdAt} />
    </li>
    {track.genre && (
      <li>
        <GenreLink of={track.genre} />
      </li>
    )}
  </ul>
);

/** A track's further facts, folded away. */
export const Facts = ({ track }: { track: Track }) => (
  <Fold>
    <Release of={track} />
    {track.bpm !== null && <Fact name="BPM">{track.bpm}</Fact>}
    {track.key_signature && <Fact name="Key">{track.key_signature}</Fact>}
    {track.isrc && <Fact name="ISRC">{track.isrc}</Fact>}
    {track.video_url && (
      <Fact name="Video">
        <a href={track.video_url} rel="nofollow ugc noopener">
          Watch
        </a>
      </Fact>
    )}
    {track.downloadable && track.download_count ? (
      <Fact name="Downloads">{number(track.download_count)}</Fact>
    ) : null}
    <Fact name="Licence">
      <License of={track.license} />
    </Fact>
  </Fold>
);

/** A set's further facts, folded away. */
export const SetFacts = ({ set }: { set: Playlist }) => (
  <Fold>
    {set.genre && (
      <Fact name="Genre">
        <GenreLink of={set.genre} />
      </Fact>
    )}
    <Release of={set} />
    {set.ean && <Fact name="EAN or UPC">{set.ean}</Fact>}
    <Fact name="Licence">
      <License of={set.license} />
    </Fact>
  </Fold>
);

const Fold = ({ children }: { children: Child }) => (
  <details class="fold">
    <summary>Details</summary>
    <dl class="facts">{children}</dl>
  </details>
);

type Work = Track | Playlist;

const GenreLink = ({ of }: { of: string }) => (
  <a href={`/discover?${new URLSearchParams({ genre: of })}`}>{of}</a>
);

const Release = ({ of }: { of: Work }) => {
  const { label, label_name, release } = of;
  return (
    <>
      {releaseOf(of) && <Fact name="Released">{releaseOf(of)}</Fact>}
      {(label || label_name) && (
        <Fact name="Label">
          {label ? <a href={label.permalink_url}>{label_name || label.username}</a> : label_name}
        </Fact>
      )}
      {release && <Fact name="Catalogue number">{release}</Fact>}
    </>
  );
};

/** Links to a shop. */
export const Buy = ({ of: { purchase_url, purchase_title } }: { of: Work }) =>
  purchase_url ? (
    <a class="act buy" href={purchase_url} rel="nofollow ugc noopener">
      {purchase_title ?? "Buy"}
    </a>
  ) : null;

/** Renders nothing without tags. */
export const Tags = ({ list }: { list: string }) => {
  const tags = parseTags(list).filter((tag) => !isMachineTag(tag));
  return tags.length === 0 ? null : (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li>
          <a href={tagPath(tag)}>{tag}</a>
        </li>
      ))}
    </ul>
  );
};

/** The known parts of a release date. Omits a day without a month, which would read as a month. */
const releaseOf = ({ release_year: year, release_month: month, release_day: day }: Work) =>
  year === null
    ? undefined
    : [year, month, month && day]
        .filter((part) => part !== null)
        .map((part) => String(part).padStart(2, "0"))
        .join("-");

const Fact = ({ name, children }: { name: string; children?: unknown }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Renders nothing if the owner hides the count. */
export const Count = ({ of, one, many }: { of: number | null; one: string; many: string }) =>
  of === null ? null : (
    <li>
      <strong>{number(of)}</strong> {of === 1 ? one : many}
    </li>
  );

const License = ({ of }: { of: Track["license"] }) => {
  const { name, href } = LICENSES[of];
  if (!href) return <span>{name}</span>;
  return (
    <a href={href} rel="license noopener">
      {name}
    </a>
  );
};
