import type { Around } from "../../../../db/queries/permalink-pages.ts";
import { TABS, type Tab } from "../../../../db/queries/profile-tabs.ts";
import type { UserRow } from "../../../../db/queries/show-users.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import { representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { linkedText } from "../../../lib/text/text-links.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { Page } from "../../../ui/layout.tsx";
import { siteName } from "../../../ui/name.ts";
import { number } from "../../../ui/words.ts";
import type { Preview } from "../../embed/preview.ts";
import { FollowButton } from "../acts/follow-button.tsx";
import { IconWords } from "../acts/icon-words.tsx";
import { Avatar } from "../rows/avatar.tsx";
import { Cards } from "../rows/card.tsx";
import { ListRow } from "../rows/list-row.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { ListNav } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { SetCard } from "../rows/set-card.tsx";
import { TrackRow as Listed } from "../rows/track-row.tsx";
import { nameAndPlace } from "../rows/user-row.tsx";
import { SiteHead } from "./head.tsx";
import { Share } from "./share.tsx";

interface ProfilePageProps {
  env: Env;
  user: UserRow;
  shown: Preview;
  around: Around;
  tab: Tab;
  reader: Reader;
}

/** A user's profile, and one of six lists. */
export const ProfilePage = ({ env, user, shown, around, tab, reader }: ProfilePageProps) => {
  const isOwn = reader.userId === user.id;
  const list = around.list ?? { items: [], next: null };
  const name = TAB_NAMES[tab];
  return (
    <Page
      env={env}
      reader={reader}
      title={`${tab === "tracks" ? shown.title : `${shown.title}: ${name}`} · ${siteName(env)}`}
      head={<SiteHead env={env} shown={shown} secret={undefined} />}
    >
      <article class="record">
        <header class="record-head">
          <Avatar of={shown.author} size="lead" />
          <div class="record-words">
            <h1>{user.username}</h1>
            <p class="artist">{nameAndPlace(user)}</p>
            <div class="acts">
              <Apart>
                <FollowButton env={env} reader={reader} user={user} follows={around.follows} />
                <Share env={env} shown={shown} secret={undefined} />
                {isOwn && (
                  <a class="act" href={`${env.AUTH_URL}/settings`} data-turbo="false">
                    <IconWords icon="edit" words="Edit" />
                  </a>
                )}
              </Apart>
            </div>
          </div>
        </header>
        <Tabs user={user} isOwn={isOwn} address={shown.permalink_url} tab={tab} />
        <div class="with-side">
          <div>
            {tab === "sets" && list.items.length > 0 ? (
              <Cards label={name}>
                {list.items.map(
                  ({ playlist }) => playlist && <SetCard set={representPlaylist(env, playlist)} />,
                )}
              </Cards>
            ) : list.items.length > 0 ? (
              <Rows label={name}>
                {list.items.map((item) => (
                  <ListRow env={env} reader={reader} item={item} pageOf={user.id} />
                ))}
              </Rows>
            ) : (
              <Empty tab={tab} isOwn={isOwn} />
            )}
            <ListNav reader={reader} next={list.next} label={`Pages of ${name.toLowerCase()}`} />
          </div>
          <aside class="side" aria-label={`About ${user.username}`}>
            {user.description && (
              <p
                class="description plain"
                dangerouslySetInnerHTML={{ __html: linkedText(user.description, { siteUrl: env.WEB_URL }) }}
              />
            )}
            <Elsewhere user={user} profiles={around.web_profiles ?? []} />
            <AppearsOn env={env} reader={reader} rows={around.appearances ?? []} />
          </aside>
        </div>
      </article>
    </Page>
  );
};

const TAB_NAMES: Record<Tab, string> = {
  tracks: "Tracks",
  sets: "Sets",
  reposts: "Reposts",
  likes: "Likes",
  followers: "Followers",
  following: "Following",
};

const EMPTY: Record<Tab, string> = {
  tracks: "There are no tracks here yet.",
  sets: "There are no sets here yet.",
  reposts: "Nothing was reposted yet.",
  likes: "Nothing was liked yet.",
  followers: "Nobody follows yet.",
  following: "Nobody is followed yet.",
};

/** With the owner's next step. */
const EMPTY_OWN: Record<Tab, [words: string, href: string, step: string]> = {
  tracks: ["You have no tracks yet.", "/upload", "Upload your first track"],
  sets: ["You have no sets yet.", "/you/sets/new", "Make a set"],
  reposts: ["You have not reposted anything yet.", "/discover", "Discover tracks"],
  likes: ["You have not liked anything yet.", "/discover", "Discover tracks"],
  followers: ["Nobody follows you yet. New tracks find listeners.", "/upload", "Upload a track"],
  following: ["You follow nobody yet.", "/search?type=people", "Find people"],
};

const Empty = ({ tab, isOwn }: { tab: Tab; isOwn: boolean }) => {
  if (!isOwn) return <p class="soft">{EMPTY[tab]}</p>;
  const [words, href, step] = EMPTY_OWN[tab];
  return <Nothing step={[href, step]}>{words}</Nothing>;
};

/** Public counts. Liked sets are not counted, so likes have no number; nor do lists that show an owner private ones. */
const countOf = (user: UserRow, isOwn: boolean): Partial<Record<Tab, number>> => ({
  ...(!isOwn && { tracks: user.track_count, sets: user.playlist_count }),
  reposts: user.reposts_count,
  followers: user.followers_count,
  following: user.followings_count,
});

interface TabsProps {
  user: UserRow;
  isOwn: boolean;
  address: string;
  tab: Tab;
}

const Tabs = ({ user, isOwn, address, tab }: TabsProps) => {
  const counts = countOf(user, isOwn);
  return (
    <nav class="tabs" aria-label="Profile">
      <Apart>
        {TABS.map((each) => (
          <a
            href={each === "tracks" ? address : `${address}/${each}`}
            aria-current={each === tab ? "page" : undefined}
          >
            {TAB_NAMES[each]}
            {counts[each] !== undefined && <span class="tab-count"> {number(counts[each])}</span>}
          </a>
        ))}
      </Apart>
    </nav>
  );
};

/** Tracks of others that credit the user, who accepted. */
const AppearsOn = ({ env, reader, rows }: { env: Env; reader: Reader; rows: TrackRow[] }) =>
  rows.length === 0 ? null : (
    <section aria-labelledby="appears-on-heading">
      <h2 id="appears-on-heading">Appears on</h2>
      <Rows label="Tracks of others with this artist">
        {rows.map((row) => (
          <Listed env={env} reader={reader} track={representTrack(env, row)} />
        ))}
      </Rows>
    </section>
  );

interface ElsewhereProps {
  user: UserRow;
  profiles: NonNullable<Around["web_profiles"]>;
}

/** The user's pages on other sites. */
const Elsewhere = ({ user: { website, website_title }, profiles }: ElsewhereProps) => {
  const links = [
    ...(website ? [{ url: website, name: website_title ?? website }] : []),
    ...profiles.map(({ url, title, service, username }) => ({
      url,
      name: title ?? (service === "personal" ? url : `${service}${username ? `: ${username}` : ""}`),
    })),
  ];
  return links.length === 0 ? null : (
    <ul class="elsewhere" aria-label="Elsewhere">
      {links.map(({ url, name }) => (
        <li>
          <a href={url} rel="me nofollow ugc noopener">
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
};
