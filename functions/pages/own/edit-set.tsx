import type { Context } from "hono";
import type { PlaylistRow } from "../../../db/queries/playlists.ts";
import type { SiteItem } from "../../../db/queries/site-pages.ts";
import type { AppEnv, Env } from "../../http/env.ts";
import { notFound } from "../../http/errors.ts";
import { Routes } from "../../http/route.ts";
import { representPlaylist } from "../../playlists/representation.ts";
import { unseal } from "../../security/sealing.ts";
import { USER } from "../../site/api-segments.ts";
import { readerOf } from "../../site/bar.tsx";
import { formToken, readOwnParts } from "../../site/form-guard.ts";
import { seeOther } from "../../site/page.tsx";
import { formPage, showSite, showSiteError } from "../../site/site-page.tsx";
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
import { SET_FIELDS } from "./set-fields.ts";
import { orderSubject, SetOrder } from "./set-order.tsx";

/** {web_url}: the page where owners edit a set. */
export const editSet = new Routes({ renderError: showSiteError });

const SET: EditKind = { wrapper: "playlist", path: "playlists", groups: SET_FIELDS };

const PATH = `/${USER}/sets/:set/edit` as const;

interface OwnSet {
  row: PlaylistRow;
  items: SiteItem[];
}

editSet.page(PATH, async (c) => show(c, await ownSet(c)));

editSet.form(PATH, async (c) => {
  const page = formPage(c, c.req.path);
  const sent = await readOwnParts(c, page, { field: PICTURE, maxBytes: MAX_SENT_BYTES });
  const refusal = await save(c, SET, sent);
  if (!refusal) return seeOther(c, page.replace(/\/edit$/, ""));
  const owned = await ownSet(c);
  const now = {
    values: valuesOf(SET_FIELDS, represented(c.env, owned.row)),
    version: versionOf(owned.row.updated_at),
  };
  return show(c, owned, stateAfter(refusal, sent, now, SET_FIELDS));
});

async function ownSet(c: Context<AppEnv>): Promise<OwnSet> {
  const { set: permalink = "" } = c.req.param() as Record<string, string>;
  const { playlist, items } = await findOwnPage(c, "playlist", permalink);
  // Only the owner's row carries the secret.
  return playlist?.secret_sealed ? { row: playlist, items } : notFound("Page");
}

const represented = (env: Env, row: PlaylistRow) =>
  representPlaylist(row, { links: env, unseal: (sealed) => unseal(env, Buffer.from(sealed, "base64")) });

/** `again` is set for a form that was refused. */
function show(c: Context<AppEnv>, { row, items }: OwnSet, again?: Refused): Response {
  const { env } = c;
  const set = represented(env, row);
  const reader = readerOf(c);
  const state = again?.state ?? { values: valuesOf(SET_FIELDS, set), problems: {} };
  const version = again?.version ?? versionOf(row.updated_at);
  return showSite(
    c,
    { title: `Edit ${set.title}`, reader, status: again ? 422 : 200, scripts: ["own.client.js"] },
    <div class="own">
      <header class="own-head">
        <h1>Edit set</h1>
        <a href={set.permalink_url}>{set.title}</a>
        <a href={`${set.permalink_url}/podcast`}>Podcast settings</a>
      </header>
      <SetOrder id={set.id} items={items} token={formToken(c, orderSubject(set.id))} page={c.req.path} />
      <section class="card">
        <EditForm
          action={c.req.path}
          token={formToken(c, c.req.path)}
          state={state}
          groups={SET_FIELDS}
          hidden={{ id: String(set.id), version }}
          artwork={set.artwork_url}
          submit="Save"
        />
      </section>
      <PrivateLink {...{ env, reader }} owned={set} act="replace-playlist-link" />
      <section class="card own-section">
        <h2>Delete</h2>
        <p>The set disappears with its likes. Its tracks stay.</p>
        <a class="button danger" href={`/you/sets/${set.id}/delete`}>
          Delete this set …
        </a>
      </section>
    </div>,
  );
}
