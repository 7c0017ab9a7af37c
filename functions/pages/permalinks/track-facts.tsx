import { clock, day, number } from "../../site/words.ts";
import type { Track } from "../../tracks/representation.ts";
import { isMachineTag, parseTags } from "../../tracks/tags.ts";

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

export const Facts = ({ track, createdAt }: { track: Track; createdAt: string }) => (
  <>
    <ul class="counts">
      <Count of={track.playback_count} one="play" many="plays" />
      <Count of={track.favoritings_count} one="like" many="likes" />
      <Count of={track.reposts_count} one="repost" many="reposts" />
      <Count of={track.comment_count} one="comment" many="comments" />
      {track.downloadable && <Count of={track.download_count} one="download" many="downloads" />}
    </ul>
    <dl class="facts">
      {track.duration > 0 && <Fact name="Duration">{clock(track.duration)}</Fact>}
      {track.genre && (
        <Fact name="Genre">
          <a href={`/discover?${new URLSearchParams({ genre: track.genre })}`}>{track.genre}</a>
        </Fact>
      )}
      <Fact name="Uploaded">
        <time datetime={new Date(createdAt).toISOString()}>{day(createdAt)}</time>
      </Fact>
      {releaseOf(track) && <Fact name="Released">{releaseOf(track)}</Fact>}
      {track.label_name && <Fact name="Label">{track.label_name}</Fact>}
      {track.bpm !== null && <Fact name="BPM">{track.bpm}</Fact>}
      {track.key_signature && <Fact name="Key">{track.key_signature}</Fact>}
      {track.isrc && <Fact name="ISRC">{track.isrc}</Fact>}
      <Fact name="Licence">
        <License of={track.license} />
      </Fact>
    </dl>
    <Tags list={track.tag_list} />
  </>
);

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

/** The parts of a release date that are known. A day without a month would be read as one. */
const releaseOf = ({ release_year: year, release_month: month, release_day: day }: Track) =>
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

export const License = ({ of }: { of: Track["license"] }) => {
  const { name, href } = LICENSES[of];
  if (!href) return <span>{name}</span>;
  return (
    <a href={href} rel="license noopener">
      {name}
    </a>
  );
};
