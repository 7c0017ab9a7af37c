import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { failedPath, newImport, serveFeeds } from "../../api/imports/import-requests.support.ts";
import { createWebhook } from "../../api/webhooks/webhook-receiver.ts";
import { api } from "../../support/api.ts";
import { withParameters } from "../../support/parameters.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack, workerLog } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createReadyUpload,
  createRetryableTrack,
  createTrack,
  uploadAllParts,
  words,
} from "../../support/tracks.ts";

let ana: Person;

serveFeeds();

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
});

interface Operations {
  post?: { parameters?: { name: string }[] };
}

interface Post {
  path: string;
  json?: unknown;
  form?: FormData;
}

const BOX = { name: "Box", redirect_uris: ["https://example.com/cb"] };
const FILE = { filename: "a.wav", size: 10, type: "audio/wav" };

const hook = () => createWebhook(ana, `https://hooks.example.com/${randomUUID()}`);
const app = async () => (await api.as(ana).post<{ id: number }>("/me/apps", { json: BOX })).body.id;
const track = async () => (await createTrack(ana)).id;
const finished = async () => (await createPlayableTrack(ana)).id;
const playlist = async () =>
  (await api.as(ana).post<{ id: number }>("/playlists", { json: { playlist: { title: "Here" } } })).body.id;

async function delivery(): Promise<string> {
  const { id } = await hook();
  const sent = await api.as(ana).post<{ id: number }>(`/me/webhooks/${id}/test`);
  await sql("update webhook_deliveries set state = 'failed', next_attempt_at = null where id = $1", [
    sent.body.id,
  ]);
  return `/me/webhooks/${id}/deliveries/${sent.body.id}/replay`;
}

async function parts(): Promise<Post> {
  const { upload, parts: stored } = await uploadAllParts(ana, words(), "a.wav");
  return { path: `/uploads/${upload.id}/complete`, json: { parts: stored } };
}

function trackForm(): FormData {
  const form = new FormData();
  form.set("track[title]", "By form");
  form.set("track[asset_data]", words(), "a.wav");
  return form;
}

/** A request to each route that takes a key, by the path in the document. */
const POSTS: Record<string, () => Post | Promise<Post>> = {
  "/likes/tracks/{id}": async () => ({ path: `/likes/tracks/${await track()}` }),
  "/likes/playlists/{id}": async () => ({ path: `/likes/playlists/${await playlist()}` }),
  "/reposts/tracks/{id}": async () => ({ path: `/reposts/tracks/${await track()}` }),
  "/reposts/playlists/{id}": async () => ({ path: `/reposts/playlists/${await playlist()}` }),
  "/tracks": async () => {
    const upload = await createReadyUpload(ana, words());
    return { path: "/tracks", json: { track: { upload_id: upload.id, title: "Here" } } };
  },
  "/tracks in a form": () => ({ path: "/tracks", form: trackForm() }),
  "/tracks/{id}/comments": async () => ({
    path: `/tracks/${await track()}/comments`,
    json: { comment: { body: "Here" } },
  }),
  "/tracks/{id}/plays": async () => ({ path: `/tracks/${await finished()}/plays` }),
  "/tracks/{id}/retry": async () => ({ path: `/tracks/${(await createRetryableTrack(ana)).id}/retry` }),
  "/playlists": () => ({ path: "/playlists", json: { playlist: { title: "Here" } } }),
  "/me/connections": () => ({
    path: "/me/connections",
    json: { service: "twitter", redirect_uri: "com.example.app:/back" },
  }),
  "/me/webhooks": () => ({
    path: "/me/webhooks",
    json: { url: `https://hooks.example.com/${randomUUID()}`, events: ["like.created"] },
  }),
  "/me/webhooks/{id}/secret": async () => ({ path: `/me/webhooks/${(await hook()).id}/secret` }),
  "/me/webhooks/{id}/test": async () => ({ path: `/me/webhooks/${(await hook()).id}/test` }),
  "/me/webhooks/{id}/deliveries/{deliveryId}/replay": async () => ({ path: await delivery() }),
  "/tracks/{id}/supersede": async () => ({
    path: `/tracks/${await finished()}/supersede`,
    json: { superseded_id: await finished() },
  }),
  "/releases": async () => ({
    path: "/releases",
    json: { release: { title: "Here", tracks: [{ id: await track() }] } },
  }),
  "/me/podcast-imports": () => ({ path: "/me/podcast-imports", json: newImport(ana) }),
  "/me/podcast-imports/{id}/episodes/{episodeId}/retry": async () => ({ path: await failedPath(ana) }),
  "/uploads": () => ({ path: "/uploads", json: FILE }),
  "/uploads/{id}/complete": parts,
  "/me/apps": () => ({ path: "/me/apps", json: BOX }),
  "/me/apps/{id}/secret": async () => ({ path: `/me/apps/${await app()}/secret` }),
};

/**
 * URLs that are signed again each time, an import, whose reply tells how far it is, and the refresh grant, whose key
 * `oauth/refresh-repeated.test.ts` repeats.
 */
const OTHERS = ["/uploads/{id}/parts", "/me/podcast-imports/{id}/confirm", "/oauth/token"];

const send = ({ path, json, form }: Post, key: string) =>
  api.as(ana).post<unknown>(path, {
    ...(json !== undefined && { json }),
    ...(form && { raw: form }),
    headers: { "Idempotency-Key": key },
  });

test.each(Object.entries(POSTS))("a repeated POST %s gets the same reply", async (_, prepare) => {
  const [asked, key] = [await prepare(), randomUUID()];
  const first = await send(asked, key);
  expect(first.status).toBeLessThan(300);
  const again = await send(asked, key);
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  for (const name of ["Location", "Content-Type", "Cache-Control"])
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  expect(first.headers.get("Idempotent-Replayed")).toBe(null);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  const other = await send(asked.form ? { path: "/playlists", json: {} } : { ...asked, json: { a: 1 } }, key);
  expect([400, 422]).toContain(other.status);
});

test("URLs of parts are signed again, and their key belongs to them", async () => {
  const key = randomUUID();
  const { body: upload } = await api.as(ana).post<{ id: number }>("/uploads", { json: FILE });
  const sign = (numbers: number[]) =>
    api.as(ana).post<{ urls: object }>(`/uploads/${upload.id}/parts`, {
      json: { numbers },
      headers: { "Idempotency-Key": key },
    });
  const [first, again] = [await sign([1]), await sign([1])];
  expect([first.status, again.status, Object.keys(again.body.urls)]).toEqual([200, 200, ["1"]]);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect((await sign([])).status).toBe(422);
});

test("each route that takes a key is repeated here, and none leaves its key unused", async () => {
  const document = withParameters(
    (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as {
      paths: Record<string, Operations>;
    },
  );
  const taking = Object.entries(document.paths)
    .filter(([, { post }]) => post?.parameters?.some(({ name }) => name === "Idempotency-Key"))
    .map(([path]) => path);
  const repeated = Object.keys(POSTS).map((name) => name.split(" ")[0]);
  expect(taking.sort()).toEqual([...new Set([...repeated, ...OTHERS])].sort());
  expect(workerLog().filter(({ event }) => event === "idempotency_key_not_settled")).toEqual([]);
});
