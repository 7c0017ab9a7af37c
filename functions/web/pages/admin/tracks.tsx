import type { Context } from "hono";
import type { Act } from "../../../../db/queries/acts.ts";
import {
  type MeantTrack,
  type ModeratedTrack,
  putBackTrack,
  type ShownTrack,
  searchTracks,
  showTrackPage,
  takeDownTrack,
  uncreditTrack,
} from "../../../../db/queries/moderation-tracks.ts";
import { meantTrack } from "../../../api/moderation/references.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { clock } from "../../../ui/words.ts";
import { ActForm, type Acting } from "./act-form.tsx";
import { ActsOn } from "./act-log.tsx";
import { encodeFacts } from "./encode-facts.ts";
import { showAdmin, showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator, wordsIn } from "./guard.ts";
import { actingOf, Entry, FactList, ROWS, showList } from "./list-page.tsx";
import { RemovePicture } from "./posts.tsx";
import { refuse } from "./refusals.ts";
import { SearchForm } from "./search-form.tsx";
import { minute, size } from "./words.ts";

export const trackPages = new Routes({ renderError: showAdminError });

const NO_TRACK: MeantTrack = { id: 0, owner: null, permalink: null };

trackPages.page("/admin/tracks", async (c) => {
  const asked = wordsIn(c, 500);
  const meant = meantTrack(asked);
  const found = meant && (await showTrackPage(c.var.db, readerAsOperator(c), meant));
  if (found) return seeOther(c, `/admin/tracks/${found.track.id}`);
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Tracks",
    section: "/admin/tracks",
    above: <SearchForm path="/admin/tracks" label="Title, address of its page, or id" value={asked} />,
    rows: await searchTracks(c.var.db, readerAsOperator(c), asked, page),
    idOf: ({ id }) => id,
    empty: "There is no such track.",
    row: (track) => <TrackEntry track={track} />,
  });
});

const TrackEntry = ({ track }: { track: ModeratedTrack }) => (
  <Entry
    title={<a href={`/admin/tracks/${track.id}`}>{track.title}</a>}
    lines={[
      <>
        by <a href={`/admin/users/${track.user_id}`}>{track.user_permalink}</a>, {minute(track.created_at)}
      </>,
      track.taken_down_at === null
        ? `${track.sharing}, ${track.state}`
        : `taken down: ${track.taken_down_for}`,
      track.open_reports > 0 &&
        `${track.open_reports} open ${track.open_reports === 1 ? "report" : "reports"}`,
    ]}
  />
);

trackPages.page("/admin/tracks/:id", async (c) => {
  const found = await showTrackPage(c.var.db, readerAsOperator(c), { ...NO_TRACK, id: idIn(c) });
  return found ? showTrack(c, found.track, found.acts) : notFound("Track");
});

trackPages.form("/admin/tracks/:id/take-down", async (c) => {
  const { withReason, page } = await readAct(c);
  const { outcome } = await takeDownTrack(c.var.db, withReason(), idIn(c));
  return outcome === "unknown" ? refuse("track", outcome) : seeOther(c, page);
});

trackPages.form("/admin/tracks/:id/uncredit", async (c) => {
  const { withReason, page } = await readAct(c);
  const { outcome } = await uncreditTrack(c.var.db, withReason(), idIn(c));
  return outcome === "unknown" ? refuse("track", outcome) : seeOther(c, page);
});

trackPages.form("/admin/tracks/:id/put-back", async (c) => {
  const { by, page } = await readAct(c);
  const { outcome } = await putBackTrack(c.var.db, by, idIn(c));
  return outcome === "unknown" ? refuse("track", outcome) : seeOther(c, page);
});

const showTrack = (c: Context<AppEnv>, track: ShownTrack, acts: Act[]): Response =>
  showAdmin(
    c,
    { title: track.title, section: "/admin/tracks" },
    <>
      <header class="page-head">
        <h1>{track.title}</h1>
        {track.taken_down_at === null && <a href={`/${track.user_permalink}/${track.permalink}`}>Page</a>}
      </header>
      <section class="card own-section">
        <FactList
          facts={[
            ["Owner", <a href={`/admin/users/${track.user_id}`}>{track.user_permalink}</a>],
            ...factsOf(track),
          ]}
        />
        <div class="admin-acts">
          <TrackAct track={track} acting={actingOf(c)} />
          <RemovePicture
            acting={actingOf(c)}
            of="track"
            id={track.id}
            name={track.title}
            version={track.artwork_version}
          />
          {track.artists && (
            <ActForm
              acting={actingOf(c)}
              action={`/admin/tracks/${track.id}/uncredit`}
              label="Take the credits off"
              of={track.title}
              reason="required"
              hint="The names go, and users among them are not asked again. The log keeps the reason."
            />
          )}
        </div>
      </section>
      <ActsOn acts={acts} />
    </>,
  );

const factsOf = (track: ShownTrack): [string, string | number][] => [
  [
    "Shared",
    track.taken_down_at === null
      ? `${track.sharing}${track.publish_at ? `, published ${minute(track.publish_at)}` : ""}`
      : `taken down ${minute(track.taken_down_at)}: ${track.taken_down_for}`,
  ],
  ...(track.artists ? [["Credits", track.artists] as [string, string]] : []),
  ["State", track.state],
  ...encodeFacts(track),
  ["Length", track.duration_ms ? clock(track.duration_ms) : "unknown"],
  ["Size", size(track.bytes)],
  ["Uploaded", minute(track.created_at)],
  ["Open reports", track.open_reports],
];

const TrackAct = ({ track, acting }: { track: ShownTrack; acting: Acting }) =>
  track.taken_down_at === null ? (
    <ActForm
      acting={acting}
      action={`/admin/tracks/${track.id}/take-down`}
      label="Take down"
      of={track.title}
      reason="required"
      hint="The owner reads it. Players stop within a minute; the file is kept."
      kind="danger"
    />
  ) : (
    <ActForm
      acting={acting}
      action={`/admin/tracks/${track.id}/put-back`}
      label="Put back"
      of={track.title}
      reason="optional"
    />
  );
