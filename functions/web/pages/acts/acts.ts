import type { Context } from "hono";
import { secretQuery } from "../../../api/tracks/secret.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { ACT } from "../../../ui/bar.tsx";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { deleteInApi, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSiteError } from "../../../ui/site-page.tsx";

/** {web_url}: the small forms on pages, such as a like. Each does one thing and redirects back to its page. */
export const acts = new Routes({ renderError: showSiteError });

/** A private link's `secret_token` also opens its track to acts. */
type Fields = Record<string, string>;
type Act = (c: Context<AppEnv>, id: number, fields: Fields) => Promise<unknown>;

const put =
  (path: (id: number) => string): Act =>
  (c, id, fields) =>
    writeApi(c, "PUT", path(id) + secretQuery(fields.secret_token));
const post =
  (path: (id: number) => string): Act =>
  (c, id, fields) =>
    writeApi(c, "POST", path(id) + secretQuery(fields.secret_token));
const remove =
  (path: (id: number, fields: Fields) => string): Act =>
  (c, id, fields) =>
    deleteInApi(c, path(id, fields) + secretQuery(fields.secret_token));

const ACTS: Record<string, Act> = {
  "like-track": post((id) => `/likes/tracks/${id}`),
  "unlike-track": remove((id) => `/likes/tracks/${id}`),
  "repost-track": post((id) => `/reposts/tracks/${id}`),
  "unrepost-track": remove((id) => `/reposts/tracks/${id}`),
  "like-playlist": post((id) => `/likes/playlists/${id}`),
  "unlike-playlist": remove((id) => `/likes/playlists/${id}`),
  "repost-playlist": post((id) => `/reposts/playlists/${id}`),
  "unrepost-playlist": remove((id) => `/reposts/playlists/${id}`),
  "retry-track": post((id) => `/tracks/${id}/retry`),
  "replace-track-link": put((id) => `/tracks/${id}/secret-token`),
  "replace-playlist-link": put((id) => `/playlists/${id}/secret-token`),
  "add-to-set": (c, id, { track = "" }) =>
    writeApi(c, "PUT", `/playlists/${id}`, { playlist: { tracks: [{ id: track }] } }),
  "remove-from-set": (c, id, { track = "" }) =>
    deleteInApi(c, `/playlists/${id}/tracks/${encodeURIComponent(track)}`),
  "accept-credit": put((id) => `/me/credits/${id}`),
  "decline-credit": remove((id) => `/me/credits/${id}`),
  follow: put((id) => `/me/followings/${id}`),
  unfollow: remove((id) => `/me/followings/${id}`),
  "delete-comment": remove((id, { track = "" }) => `/tracks/${encodeURIComponent(track)}/comments/${id}`),
};

acts.form("/you/acts/:act{[a-z-]+}/:id", async (c) => {
  const { act = "", id = "" } = c.req.param();
  const fields = await readOwnForm(c, ACT);
  const page = formPage(c, fields.next);
  const run = Object.hasOwn(ACTS, act) ? ACTS[act] : undefined;
  if (!run) return notFound("Page");
  await run(c, Number(id), fields);
  return seeOther(c, page);
});
