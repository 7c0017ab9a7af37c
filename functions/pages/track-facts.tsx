import { Logo } from "../site/logo.tsx";
import { clock, day, number } from "../site/words.ts";
import type { Track } from "../tracks/representation.ts";
import { isMachineTag, parseTags } from "../tracks/tags.ts";

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

export const Facts = ({ track, createdAt }: { track: Track; createdAt: string }) => {
  const tags = parseTags(track.tag_list).filter((tag) => !isMachineTag(tag));
  return (
    <>
      <ul class="counts">
        <Count of={track.playback_count} one="play" many="plays" />
        <Count of={track.favoritings_count} one="like" many="likes" />
        <Count of={track.comment_count} one="comment" many="comments" />
        {track.downloadable && <Count of={track.download_count} one="download" many="downloads" />}
      </ul>
      <dl class="facts">
        {track.duration > 0 && <Fact name="Duration">{clock(track.duration)}</Fact>}
        {track.genre && <Fact name="Genre">{track.genre}</Fact>}
        <Fact name="Uploaded">
          <time datetime={new Date(createdAt).toISOString()}>{day(createdAt)}</time>
        </Fact>
        <Fact name="Licence">
          <License of={track.license} />
        </Fact>
      </dl>
      {tags.length > 0 && (
        <ul class="tags" aria-label="Tags">
          {tags.map((tag) => (
            <li>{tag}</li>
          ))}
        </ul>
      )}
    </>
  );
};

const Fact = ({ name, children }: { name: string; children?: unknown }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Renders nothing if the owner hides the count. */
const Count = ({ of, one, many }: { of: number | null; one: string; many: string }) =>
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

/** Names creator, source and address. A private track links to its creator's page instead. */
export const Attribution = ({ track, home }: { track: Track; home: string }) => (
  <footer class="attribution">
    <p>
      Created by <a href={track.user.permalink_url}>{track.user.username}</a>
    </p>
    <p>
      {track.sharing === "public" ? (
        <a href={track.permalink_url}>Track page</a>
      ) : (
        <a href={track.user.permalink_url}>More by {track.user.username}</a>
      )}
      <a class="brand" href={home}>
        <Logo size={18} />
        Soundpost
      </a>
    </p>
  </footer>
);
