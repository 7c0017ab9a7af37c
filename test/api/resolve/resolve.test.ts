import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { page, resolved, resolvedTo, resolveHref } from "./resolve.support.ts";

let ana: Person;
let ben: Person;
let app: { token: string };
let song: StoredTrack;
let hidden: StoredTrack;
let summer: Playlist;
let winter: Playlist;
let pages: Record<"user" | "track" | "playlist" | "app", [page: string, own: string]>;

beforeAll(async () => {
  [ana, ben, app] = [await createUser(), await createUser(), await createAppToken()];
  song = await createPlayableTrack(ana, { permalink: "song" });
  hidden = await createPlayableTrack(ana, { permalink: "hidden", sharing: "private" });
  const tracks = named([song.id, hidden.id]);
  summer = await createPlaylist(ana, { title: "Summer", tracks });
  winter = await createPlaylist(ana, { title: "Winter", sharing: "private", tracks });
  const { body } = await api.as(ana).get<{ permalink_url: string }>(`/apps/${ana.app.id}`);
  pages = {
    user: [page(`/${ana.username}`), `/users/${ana.id}`],
    track: [page(`/${ana.username}/song`), `/tracks/${song.id}`],
    playlist: [summer.permalink_url, `/playlists/${summer.id}`],
    app: [body.permalink_url, `/apps/${ana.app.id}`],
  };
});

const KINDS = ["user", "track", "playlist", "app"] as const;

describe.each(KINDS)("the page of a %s", (kind) => {
  /** Signatures change each second. */
  const unsigned = (text: string) => text.replace(/\/media\/[\w.-]+/g, "/media/x");

  const everything = async (path: string, accept: string) => {
    const reply = await fetch(stack.urls.api + path, {
      headers: { Authorization: `OAuth ${ben.token}`, Accept: accept },
    });
    return [reply.status, unsigned(await reply.text()), reply.headers.get("Cache-Control")];
  };

  // This and the next test try again, because presence is written after the reply and changes the user once.
  test.each(["application/json", "application/xml"])(
    "returns the resource exactly like its own URL, as %s",
    (accept) =>
      expect
        .poll(async () => {
          const [url, own] = pages[kind];
          const expected = await everything(own, accept);
          expect(expected[0]).toBe(200);
          expect(await everything(resolveHref(url), accept)).toEqual(expected);
          return true;
        })
        .toBe(true),
  );

  test("has the ETag of its own URL, and 304 for a client that holds it", async () => {
    const [url, own] = pages[kind];
    const known = async () => {
      const tag = (await resolved(ben, url)).headers.get("ETag") ?? "";
      const again = await resolved(ben, url, { headers: { "If-None-Match": tag } });
      return [tag === (await api.as(ben).get(own)).headers.get("ETag"), again.status];
    };
    await expect.poll(known).toEqual([true, 304]);
  });

  test("is found for apps and users, by its URL on site or API, in any case", async () => {
    const [url, own] = pages[kind];
    const { id } = (await api.as(ben).get<{ id: number }>(own)).body;
    const { pathname } = new URL(url);
    for (const who of [app, ben, ana]) {
      for (const each of [url, `${url}/`, `${url}?x=1#y`, stack.urls.api + own, stack.urls.older + own])
        expect([each, await resolvedTo(who, each)]).toEqual([each, [200, id]]);
      expect(await resolvedTo(who, page(pathname.toUpperCase()))).toEqual([200, id]);
    }
  });

  test("requires a live token", async () => {
    const [url] = pages[kind];
    expect((await api.get(resolveHref(url))).status).toBe(401);
    const gone = await createUser();
    await api.post("/sign-out", { json: { access_token: gone.token } });
    expect((await resolved(gone, url)).status).toBe(401);
  });

  test("answers HEAD", async () => {
    const init = { headers: { Authorization: `OAuth ${ben.token}` } };
    const href = stack.urls.api + resolveHref(pages[kind][0]);
    const [get, head] = [await fetch(href, init), await fetch(href, { ...init, method: "HEAD" })];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("Content-Type")).toBe(get.headers.get("Content-Type"));
  });
});

test("URNs find the same as ids", async () => {
  expect(await resolvedTo(app, `${stack.urls.api}/tracks/soundcloud:tracks:${song.id}`)).toEqual([
    200,
    song.id,
  ]);
  expect(await resolvedTo(app, `${stack.urls.api}/users/soundcloud%3Ausers%3A${ana.id}.json`)).toEqual([
    200,
    ana.id,
  ]);
});

test("a URL may be sent unencoded", async () => {
  const { status, body } = await api
    .as(app)
    .get<{ id: number }>(`/resolve?url=${pages.track[0]}?in=a/sets/b&x=1`);
  expect([status, body.id]).toEqual([200, song.id]);
});

describe("private content (X10)", () => {
  const links = () => {
    const playlist = page(`/${ana.username}/sets/winter`);
    const track = page(`/${ana.username}/hidden`);
    return [
      { id: hidden.id, secret: hidden.secret, urls: [track, `${stack.urls.api}/tracks/${hidden.id}`] },
      {
        id: winter.id,
        secret: winter.secret_token,
        urls: [playlist, `${stack.urls.api}/playlists/${winter.id}`],
      },
    ];
  };

  test("is found by its owner and with its secret token", async () => {
    for (const { id, secret, urls } of links()) {
      for (const url of urls) {
        expect(await resolvedTo(ana, url)).toEqual([200, id]);
        for (const who of [ben, app]) {
          expect(await resolvedTo(who, `${url}?secret_token=${secret}`)).toEqual([200, id]);
          const { status, body } = await api.as(who).get(resolveHref(url, { secret_token: secret ?? "" }));
          expect([status, body]).toMatchObject([200, { id }]);
          expect(body).not.toHaveProperty("secret_token");
        }
      }
      expect(await resolvedTo(ben, `${urls[0]}/${secret}`)).toEqual([200, id]);
    }
  });

  test("in a playlist is opened by the playlist's link if both have one owner", async () => {
    const { body } = await resolved<Playlist>(
      ben,
      `${page(`/${ana.username}/sets/winter`)}/${winter.secret_token}`,
    );
    expect(body.tracks?.map(({ id }) => id)).toEqual([song.id, hidden.id]);
    const open = await resolved<Playlist>(ben, summer.permalink_url);
    expect(open.body.tracks?.map(({ id }) => id)).toEqual([song.id]);
  });

  test("looks unknown to everyone else (X1)", async () => {
    const never = await resolved<ErrorReply>(ben, page(`/${ana.username}/never`));
    expect(never.status).toBe(404);
    for (const { secret, urls } of links()) {
      for (const url of urls) {
        for (const end of ["", "/s-wrong", `/${secret}x`, "?secret_token=s-wrong", "?secret_token="]) {
          const { status, headers, body } = await resolved<ErrorReply>(ben, url + end);
          const same = { ...never.body, request_id: headers.get("X-Request-Id") };
          expect([url + end, status, body]).toEqual([url + end, 404, same]);
        }
      }
    }
  });

  test("is not opened by a replaced secret (X3)", async () => {
    const url = page(`/${ana.username}/rotated`);
    const { id, secret } = await createPlayableTrack(ana, { permalink: "rotated", sharing: "private" });
    expect(await resolvedTo(ben, `${url}/${secret}`)).toEqual([200, id]);
    await api.as(ana).put(`/tracks/${id}/secret-token`);
    expect((await resolved(ben, `${url}/${secret}`)).status).toBe(404);
  });
});

test("pages of a user who left are not found", async () => {
  const gone = await createUser();
  const { id } = await createPlayableTrack(gone, { permalink: "song" });
  const { permalink_url } = await createPlaylist(gone, { title: "Set" });
  await sql("update users set disabled_at = now() where id = $1", [gone.id]);
  for (const url of [page(`/${gone.username}`), page(`/${gone.username}/song`), permalink_url])
    expect((await resolved(ben, url)).status).toBe(404);
  expect((await resolved(ben, `${stack.urls.api}/tracks/${id}`)).status).toBe(404);
});
