import { representTrack } from "../../../api/tracks/representation.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { ArtistAnswers } from "./artist-fields.tsx";
import { findOwnPage } from "./edit.ts";
import { editPage } from "./edit-page.tsx";
import { Replacing } from "./replacing.tsx";
import { TRACK_FIELDS } from "./track-fields.ts";
import { TrackState } from "./track-state.tsx";

/** {web_url}: the page where owners edit a track. */
export const editTrack = editPage({
  path: "/:user/:track/edit",
  kind: {
    word: "track",
    wrapper: "track",
    path: "tracks",
    groups: TRACK_FIELDS,
    replaceLink: "replace-track-link",
    feedSettings: { path: "episode", label: "Episode settings" },
    deleting: "The track disappears with its comments, likes and plays, and from every set.",
  },
  async find(c) {
    const { track: permalink = "" } = c.req.param();
    const { track: row } = await findOwnPage(c, "track", permalink);
    if (!row?.owned) return notFound("Page");
    const track = representTrack(c.env, row);
    return {
      owned: track,
      updatedAt: row.updated_at,
      isDown: track.takedown !== undefined,
      intro: (
        <>
          <TrackState env={c.env} reader={readerOf(c)} track={track} />
          <ArtistAnswers artists={track.artists} />
        </>
      ),
      replacing: <Replacing track={track} />,
    };
  },
});
