import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type Reply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createComment } from "../comments/comments.support.ts";
import { playable } from "../media/media-files.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { type Row, TABLES } from "./endpoints.ts";

let people: Record<string, Person>;
let names: Record<string, string | number>;

beforeAll(async () => {
  const [ana, ben] = [await createUser({ plan: "artist" }), await createUser()];
  const track = await playable(ana, { downloadable: true });
  const blocked = await playable(ana, { streamable: false, commentable: false });
  const { permalink_url } = (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body;
  const { body: app } = await api.as(ana).get<{ permalink_url: string }>(`/apps/${ana.app.id}`);
  people = { ana, ben };
  names = {
    ana: ana.id,
    ben: ben.id,
    "ben-name": ben.username,
    "ana-page": permalink_url.split("/").slice(0, -1).join("/"),
    track: track.id,
    "track-page": permalink_url,
    blocked: blocked.id,
    set: (await createPlaylist(ana, { tracks: named([track.id]) })).id,
    remark: (await createComment(ana, track)).id,
    app: ana.app.id,
    "app-page": app.permalink_url,
  };
});

async function ask([request, , , sent = {}]: Row): Promise<Reply<unknown>> {
  const { as = "ana", ...options } = sent;
  const [method = "", path = ""] = request.split(" ");
  const client = api.as(people[as] ?? { token: "" });
  const send = { GET: client.get, PUT: client.put, POST: client.post, DELETE: client.delete }[method];
  if (!send) throw new Error(`No method ${method}`);
  return send(
    path.replace(/\{([\w-]+)\}/g, (_, name) => encodeURIComponent(names[name] ?? name)),
    options,
  );
}

describe.each(Object.entries(TABLES))("%s", (_, table) => {
  test.for(table)("%s is answered %i", async (row) => {
    const [, status, says = {}] = row;
    const { body, ...reply } = await ask(row);
    expect(reply.status, JSON.stringify(body)).toBe(status);
    if (says === "list") expect(body).toEqual(expect.any(Array));
    else if (says === "collection") expect(body).toMatchObject({ collection: expect.any(Array) });
    else
      for (const [field, value] of Object.entries(says))
        expect(body).toMatchObject({ [field]: value === "" ? expect.stringMatching(/./) : value });
  });
});

test("every request to the API requires its header", async () => {
  for (const [request] of Object.values(TABLES).flat()) {
    const [method, path = ""] = request.split(" ");
    if (method === "GET")
      expect([request, (await api.get(path.replace(/\{[^}]+\}/g, "1"))).status]).toEqual([request, 401]);
  }
});
