import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { expectErrorObject, UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply, type Reply, withoutRequestId } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { asFront, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack, putMedia, type StoredTrack } from "../../support/tracks.ts";

type Anything = Track & ErrorReply & Record<string, unknown>;

let owner: Person;
let other: Person;
let app: { token: string };

beforeAll(async () => {
  [owner, other, app] = await Promise.all([createUser(), createUser(), createAppToken()]);
});

describe("access to a track", () => {
  const KINDS: Record<string, () => Promise<StoredTrack>> = {
    public: () => createPlayableTrack(owner),
    private: () => createPlayableTrack(owner, { sharing: "private" }),
    blocked: () => createPlayableTrack(owner, { streamable: false }),
    preview: () => createPlayableTrack(owner, { paywall: "preview" }),
    abroad: () => createPlayableTrack(owner, { available_country_codes: ["DE"] }),
    processing: () => createTrack(owner),
    failed: () => createTrack(owner, { state: "failed" }),
  };
  const ASKERS = [
    "nobody",
    "an app",
    "an app with the secret",
    "the owner",
    "another",
    "another with the secret",
  ];
  const tracks: Record<string, StoredTrack> = {};

  beforeAll(async () => {
    await Promise.all(Object.entries(KINDS).map(async ([kind, make]) => (tracks[kind] = await make())));
  });

  /** Status of the track and its access; status and number of its streams. */
  const EXPECTED: Record<string, Record<string, string>> = {
    public: { default: "200 playable, 200 5" },
    private: {
      "an app": "404, 404",
      "an app with the secret": "200 playable, 401",
      another: "404, 404",
      "another with the secret": "200 playable, 200 5",
      "the owner": "200 playable, 200 5",
    },
    blocked: { default: "200 blocked, 403", "the owner": "200 playable, 200 5" },
    preview: { default: "200 preview, 200 1", "the owner": "200 playable, 200 5" },
    abroad: { default: "200 blocked, 403", "the owner": "200 playable, 200 5" },
    processing: { default: "200 playable, 404" },
    failed: { default: "200 playable, 404" },
  };

  const cases = Object.keys(KINDS).flatMap((kind) => ASKERS.map((asker) => ({ kind, asker })));

  test.for(cases)("$kind, requested by $asker (X1–X4)", async ({ kind, asker }) => {
    const { id, secret } = tracks[kind] as StoredTrack;
    const [name = "", withSecret] = asker.split(" with ");
    const client =
      name === "nobody" ? api : api.as({ "an app": app, "the owner": owner, another: other }[name] ?? app);
    const query = withSecret ? `?secret_token=${secret}` : "";
    const track = await client.get<Anything>(`/tracks/${id}${query}`);
    const streams = await client.get<Anything>(`/tracks/${id}/streams${query}`);
    const stream = await client.get<Anything>(`/tracks/${id}/stream${query}`);
    expect(stream.status).toBe(streams.status);
    for (const reply of [track, streams, stream]) if (reply.status >= 400) expectErrorObject(reply);
    const observed = [
      track.status === 200 ? `200 ${track.body.access}` : track.status,
      streams.status === 200 ? `200 ${Object.keys(streams.body).length}` : streams.status,
    ].join(", ");
    const expected = EXPECTED[kind]?.[asker] ?? EXPECTED[kind]?.default;
    expect(observed).toBe(asker === "nobody" ? "401, 401" : expected);
    if (track.status === 200) expectNoLeak(track, kind, name === "the owner", secret);
    if (streams.status === 404 && track.status === 200)
      expect(streams.body.errors[0]?.error_message).toContain(kind);
  });

  function expectNoLeak(
    { body, headers }: Reply<Anything>,
    kind: string,
    owned: boolean,
    secret: string,
  ): void {
    expect(headers.get("Cache-Control")).toContain("private");
    const uri = `${stack.urls.api}/tracks/${body.id}`;
    const own = kind === "private" ? `${uri}/stream?secret_token=${secret}` : `${uri}/stream`;
    expect(body.stream_url).toBe(body.access === "blocked" ? undefined : owned ? own : `${uri}/stream`);
    expect([body.secret_token, body.secret_uri]).toEqual(
      owned ? [secret, `${uri}?secret_token=${secret}`] : [undefined, undefined],
    );
    expect(body.encoding !== undefined).toBe(owned);
    if (!owned) expect(JSON.stringify(body)).not.toContain(secret);
    if (!owned) expect(body.streamable).toBe(body.access !== "blocked");
  }

  test("a private track without its secret looks exactly like an unknown id (X1, X2)", async () => {
    const hidden = tracks.private as StoredTrack;
    const elsewhere = tracks.public as StoredTrack;
    const visible = ({ status, headers, body }: Reply<unknown>) => {
      const observed = Object.fromEntries(headers);
      for (const changing of ["x-request-id", "date", "server-timing"]) delete observed[changing];
      return { status, observed, body: withoutRequestId(JSON.stringify(body)) };
    };
    for (const who of [other, app]) {
      for (const path of ["", "/streams", "/stream"]) {
        const unknown = visible(await api.as(who).get(`/tracks/${UNKNOWN_ID}${path}`));
        const wrong = [
          "",
          hidden.secret.slice(0, -1),
          hidden.secret.toLowerCase(),
          elsewhere.secret,
          "s-",
          "\0",
        ];
        const replies = await Promise.all([
          api.as(who).get(`/tracks/${hidden.id}${path}`),
          ...wrong.map((secret) =>
            api.as(who).get(`/tracks/${hidden.id}${path}?secret_token=${encodeURIComponent(secret)}`),
          ),
        ]);
        for (const reply of replies) expect(visible(reply)).toEqual(unknown);
      }
    }
  });

  test("a track is found by its URN, and not by malformed ids", async () => {
    const { id } = tracks.public as StoredTrack;
    const byUrn = await api.as(other).get<Track>(`/tracks/soundcloud:tracks:${id}`);
    expect(byUrn.body).toMatchObject({ id, urn: `soundcloud:tracks:${id}`, kind: "track" });
    expect((await api.as(other).get<Track>(`/tracks/soundcloud%3Atracks%3A${id}`)).body.id).toBe(id);
    const hostile = [`soundcloud:users:${id}`, `soundcloud:tracks:${id}:`, `:${id}`, `soundcloud:tracks:`];
    const numbers = [
      "0",
      "-1",
      "1e3",
      "0x10",
      "1.0",
      "٣",
      "+1",
      `${2 ** 53}`,
      `${2n ** 63n}`,
      "9".repeat(400),
      ` ${id}`,
      `${id} `,
      `0${id}`,
    ];
    for (const path of [
      ...hostile,
      ...numbers,
      "%00",
      `${id}%00`,
      "%zz",
      "%",
      "%E0%A4%A",
      "'; drop table tracks; --",
    ]) {
      const escaped = path.includes("%") ? path : encodeURIComponent(path);
      const reply = await api.as(other).get<ErrorReply>(`/tracks/${escaped}`);
      expect([path, reply.status]).toEqual([path, 404]);
      expectErrorObject(reply);
    }
  });

  test("a paying listener hears the whole of a track of which others hear the preview", async () => {
    const paying = await createUser({ plan: "artist" });
    const { id } = tracks.preview as StoredTrack;
    expect((await api.as(paying).get<Track>(`/tracks/${id}`)).body.access).toBe("playable");
    expect(Object.keys((await api.as(paying).get(`/tracks/${id}/streams`)).body)).toHaveLength(5);
    expect(Object.keys((await api.as(other).get(`/tracks/${id}/streams`)).body)).toEqual([
      "preview_mp3_128_url",
    ]);
  });

  test("a track for some countries plays there and lists them", async () => {
    const { id } = tracks.abroad as StoredTrack;
    const from = (country: string) =>
      asFront(`/tracks/${id}`, { Authorization: `OAuth ${other.token}`, "CF-IPCountry": country }).then(
        (reply) => reply.json() as Promise<Track>,
      );
    expect((await from("DE")).access).toBe("playable");
    expect((await from("FR")).access).toBe("blocked");
    // The front replaces this header, because clients could forge it.
    const claimed = await api.as(other).get<Track>(`/tracks/${id}`, { headers: { "CF-IPCountry": "DE" } });
    expect(claimed.body).toMatchObject({ access: "blocked", available_country_codes: ["DE"] });
  });

  test("a new restriction by country applies at once, everywhere", async () => {
    const { id } = await createPlayableTrack(owner);
    const from = (country: string) =>
      asFront(`/tracks/${id}`, { Authorization: `OAuth ${other.token}`, "CF-IPCountry": country }).then(
        (reply) => reply.json() as Promise<Track>,
      );
    const restrict = (codes: string[] | null) =>
      api.as(owner).put(`/tracks/${id}`, { json: { track: { available_country_codes: codes } } });
    for (const country of ["DE", "FR"]) expect((await from(country)).access).toBe("playable");
    for (const country of ["DE", "FR"]) {
      expect((await restrict([country])).status).toBe(200);
      expect((await from(country)).access).toBe("playable");
      expect((await from("SE")).access).toBe("blocked");
      expect((await restrict(null)).status).toBe(200);
      expect((await from("SE")).access).toBe("playable");
    }
  });
});

describe("links to a track that changes", () => {
  const statuses = async (urls: (string | undefined)[]) =>
    Promise.all(urls.map(async (url) => (await fetch(url ?? "")).status));

  async function openedBy(who: Person, track: StoredTrack, query = "") {
    await putMedia(`${track.prefix}hls/96/0.m4s`, randomBytes(100));
    for (const part of [0, 1, 2]) await putMedia(`${track.prefix}mp3/${part}.mp3`, randomBytes(1_000));
    const { body } = await api.as(who).get<Record<string, string>>(`/tracks/${track.id}/streams${query}`);
    const segment = body.hls_aac_96_url?.replace("playlist.m3u8", "0.m4s");
    const mp3Segment = body.hls_mp3_128_url?.replace("audio.m3u8", "audio/0.mp3");
    return [body.hls_aac_160_url, body.hls_aac_96_url, segment, body.hls_mp3_128_url, mp3Segment];
  }

  test("expire with a private track's secret, including segments", async () => {
    const track = await createPlayableTrack(owner, { sharing: "private" });
    const urls = await openedBy(other, track, `?secret_token=${track.secret}`);
    expect(await statuses(urls)).toEqual([200, 200, 200, 200, 200]);
    await sql("update tracks set secret_hash = sha256('another') where id = $1", [track.id]);
    expect(await statuses(urls)).toEqual([404, 404, 404, 404, 404]);
    expect((await api.as(other).get(`/tracks/${track.id}?secret_token=${track.secret}`)).status).toBe(404);
  });

  test("stop at once when the track becomes private, except for cached segments (X14)", async () => {
    const track = await createPlayableTrack(owner);
    const [master, playlist] = await openedBy(other, track);
    const [ofOwner] = await openedBy(owner, track);
    expect(await statuses([master, playlist])).toEqual([200, 200]);
    await sql("update tracks set sharing = 'private' where id = $1", [track.id]);
    expect(await statuses([master, playlist, ofOwner])).toEqual([404, 404, 200]);
    expect((await api.as(other).get(`/tracks/${track.id}/streams`)).status).toBe(404);
  });

  test("stop when the track is blocked, put behind a paywall or deleted", async () => {
    const track = await createPlayableTrack(owner);
    const [master] = await openedBy(other, track);
    await sql("update tracks set paywall = 'preview' where id = $1", [track.id]);
    expect(await statuses([master])).toEqual([404]);
    await sql("update tracks set paywall = null, streamable = false where id = $1", [track.id]);
    expect(await statuses([master])).toEqual([404]);
    await sql("update tracks set streamable = true where id = $1", [track.id]);
    expect(await statuses([master])).toEqual([200]);
    await sql("delete from tracks where id = $1", [track.id]);
    expect(await statuses([master])).toEqual([404]);
  });
});
