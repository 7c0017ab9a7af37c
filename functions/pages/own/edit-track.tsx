import type { Context } from "hono";
import type { TrackRow } from "../../../db/queries/tracks.ts";
import type { AppEnv } from "../../http/env.ts";
import { notFound } from "../../http/errors.ts";
import { Routes } from "../../http/route.ts";
import { TRACK_PERMALINK, USER } from "../../site/api-segments.ts";
import { readerOf } from "../../site/bar.tsx";
import { formToken, readOwnParts } from "../../site/form-guard.ts";
import { seeOther } from "../../site/page.tsx";
import { formPage, showSite, showSiteError } from "../../site/site-page.tsx";
import { representTrack } from "../../tracks/representation.ts";
import {
  type EditKind,
  findOwnPage,
  MAX_SENT_BYTES,
  PICTURE,
  type Refused,
  save,
  stateAfter,
  versionOf,
} from "./edit.ts";
import { EditForm } from "./edit-form.tsx";
import { valuesOf } from "./fields.tsx";
import { PrivateLink } from "./private-link.tsx";
import { TRACK_FIELDS } from "./track-fields.ts";
import { TrackState } from "./track-state.tsx";

/** {web_url}: the page where owners edit a track. */
export const editTrack = new Routes({ renderError: showSiteError });

const TRACK: EditKind = { wrapper: "track", path: "tracks", groups: TRACK_FIELDS };

const PATH = `/${USER}/${TRACK_PERMALINK}/edit` as const;

editTrack.page(PATH, async (c) => show(c, await ownTrack(c)));

editTrack.form(PATH, async (c) => {
  const page = formPage(c, c.req.path);
  const sent = await readOwnParts(c, page, { field: PICTURE, maxBytes: MAX_SENT_BYTES });
  const refusal = await save(c, TRACK, sent);
  if (!refusal) return seeOther(c, page.replace(/\/edit$/, ""));
  const row = await ownTrack(c);
  const now = {
    values: valuesOf(TRACK_FIELDS, representTrack(c.env, row)),
    version: versionOf(row.updated_at),
  };
  return show(c, row, stateAfter(refusal, sent, now, TRACK_FIELDS));
});

async function ownTrack(c: Context<AppEnv>): Promise<TrackRow> {
  const { track: permalink = "" } = c.req.param() as Record<string, string>;
  const { track } = await findOwnPage(c, "track", permalink);
  return track?.owned ? track : notFound("Page");
}

/** `again` is set for a form that was refused. */
function show(c: Context<AppEnv>, row: TrackRow, again?: Refused): Response {
  const track = representTrack(c.env, row);
  const reader = readerOf(c);
  const { env } = c;
  const state = again?.state ?? { values: valuesOf(TRACK_FIELDS, track), problems: {} };
  const version = again?.version ?? versionOf(row.updated_at);
  return showSite(
    c,
    { title: `Edit ${track.title}`, reader, status: again ? 422 : 200, scripts: ["own.client.js"] },
    <div class="own">
      <header class="own-head">
        <h1>Edit track</h1>
        <a href={track.permalink_url}>{track.title}</a>
        <a href={`${track.permalink_url}/episode`}>Episode settings</a>
      </header>
      <TrackState {...{ env, reader, track }} />
      <section class="card">
        <EditForm
          action={c.req.path}
          token={formToken(c, c.req.path)}
          state={state}
          groups={TRACK_FIELDS}
          hidden={{ id: String(track.id), version }}
          artwork={track.artwork_url}
          submit="Save"
        />
      </section>
      <PrivateLink {...{ env, reader }} owned={track} act="replace-track-link" />
      <section class="card own-section">
        <h2>Delete</h2>
        <p>The track disappears with its comments, likes and plays, and from every set.</p>
        <a class="button danger" href={`/you/tracks/${track.id}/delete`}>
          Delete this track …
        </a>
      </section>
    </div>,
  );
}
