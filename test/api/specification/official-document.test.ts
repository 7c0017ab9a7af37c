import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { auth } from "../../support/oauth.ts";
import { DIFFERENCES, NEVER_FILLED } from "./family/differences.ts";
import { makeFixtures } from "./family/fixtures.ts";
import { Judge, officialFields } from "./family/judge.ts";
import { OPERATIONS } from "./family/operations.ts";
import { audioForm, runOperation } from "./family/run.ts";
import { REPLIES, REQUESTS } from "./family/schemas.ts";

type Json = Record<string, unknown>;

let made: Awaited<ReturnType<typeof makeFixtures>>;
const judge = new Judge();

beforeAll(async () => {
  made = await makeFixtures();
  const [reads, writes] = [
    OPERATIONS.filter(({ request }) => request.startsWith("GET")),
    OPERATIONS.filter(({ request }) => !request.startsWith("GET")),
  ];
  const run = (operation: (typeof OPERATIONS)[number]) =>
    runOperation(judge, made.ana, made.names, operation);
  await Promise.all(reads.map(run));
  for (const write of writes) await run(write);
});

test("replies to every operation of the family's official document differ from its schemas only as listed", () => {
  expect([...judge.differences].sort()).toEqual(DIFFERENCES.flatMap(({ found }) => found).sort());
});

test("every field of the official schemas was seen with a value, but for those listed", () => {
  const empty = officialFields.filter((field) => !judge.filled.has(field));
  expect(empty.sort()).toEqual(NEVER_FILLED.flatMap(({ fields }) => fields).sort());
});

test("every official schema is judged: replies by operations, bodies by being sent", () => {
  const named = OPERATIONS.flatMap(({ replies }) => Object.values(replies)).join(" ");
  const within = Object.values(REPLIES)
    .flatMap((fields) => Object.keys(fields))
    .join(" ");
  for (const schema of Object.keys(REPLIES))
    expect(`${named} ${within}`).toMatch(new RegExp(`\\b${schema}\\b`));
  expect(Object.keys(REQUESTS).filter((name) => !(name in SENT))).toEqual([]);
});

const VALUES: Json = {
  commentable: false,
  description: "Said",
  downloadable: true,
  ean: "4006381333931",
  embeddable_by: "me",
  genre: "Folk",
  isrc: "DEAB00000001",
  label_name: "Records",
  license: "cc-by",
  permalink: "chosen",
  permalink_url: "https://example.com/chosen",
  purchase_title: "Buy",
  purchase_url: "https://shop.example.com/",
  release: "R-1",
  release_date: "2003-02-01",
  reveal_comments: false,
  reveal_stats: false,
  set_type: "album",
  sharing: "private",
  streamable: false,
  tag_list: "one",
  title: "Sent",
};

/** Fields that a reply names otherwise, or that the specification has read-only. */
const NOT_RETURNED = ["permalink", "permalink_url", "release_date", "set_type"];

const fieldsOf = (schema: string) =>
  Object.entries(REQUESTS[schema] ?? {})
    .filter(([type]) => type !== "file" && type !== "[Named]")
    .flatMap(([, names = ""]) => names.split(" "));

const valuesOf = (schema: string): Json =>
  Object.fromEntries(fieldsOf(schema).map((name) => [name, VALUES[name]]));

const formOf = (schema: string, wrapper: string) =>
  Object.fromEntries(
    Object.entries(valuesOf(schema)).map(([name, value]) => [`${wrapper}[${name}]`, String(value)]),
  );

const multipart = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

const shown = (schema: string) => {
  const entries = Object.entries(valuesOf(schema)).filter(([name]) => !NOT_RETURNED.includes(name));
  return { ...Object.fromEntries(entries), release_year: 2003, release_month: 2, release_day: 1 };
};

const trackPath = () => `/tracks/${made.names.bare}`;
const setPath = () => `/playlists/${made.names.set}`;

const SENT: Record<string, () => Promise<void>> = {
  TrackDataRequest: async () => {
    const raw = audioForm(formOf("TrackDataRequest", "track"));
    const { status, body } = await api.as(made.ana).post("/tracks", { raw });
    expect([status, body]).toEqual([201, expect.objectContaining(shown("TrackDataRequest"))]);
  },
  TrackMetadataRequest: async () => {
    const json = { track: valuesOf("TrackMetadataRequest") };
    const { status, body } = await api.as(made.ana).put(trackPath(), { json });
    expect([status, body]).toEqual([200, expect.objectContaining(shown("TrackMetadataRequest"))]);
  },
  TrackUpdateFormRequest: async () => {
    const fields = formOf("TrackUpdateFormRequest", "track");
    const { status, body } = await api.as(made.ana).put(trackPath(), { raw: multipart(fields) });
    expect([status, body]).toEqual([200, expect.objectContaining(shown("TrackUpdateFormRequest"))]);
    // The document means this media type by its odd `multipart/x-www-form-urlencoded`.
    expect((await api.as(made.ana).put(trackPath(), { form: fields })).status).toBe(200);
  },
  CreateUpdatePlaylistRequest: async () => {
    const playlist = { ...valuesOf("CreateUpdatePlaylistRequest"), tracks: [{ urn: made.names.full }] };
    const [created, changed] = [
      await api.as(made.ana).post<Json>("/playlists", { json: { playlist } }),
      await api.as(made.ana).put<Json>(setPath(), { json: { playlist } }),
    ];
    for (const [{ status, body }, expected] of [
      [created, 201],
      [changed, 200],
    ] as const) {
      expect([status, body]).toEqual([
        expected,
        expect.objectContaining(shown("CreateUpdatePlaylistRequest")),
      ]);
      // An update adds tracks, as the specification says; the family's replaces them.
      expect(body.tracks).toContainEqual(expect.objectContaining({ urn: made.names.full }));
    }
  },
  CreateUpdatePlaylistFormRequest: async () => {
    const fields = formOf("CreateUpdatePlaylistFormRequest", "playlist");
    const raw = multipart({ ...fields, "playlist[tracks][][urn]": made.names.full ?? "" });
    const { status, body } = await api.as(made.ana).post<Json>("/playlists", { raw });
    expect([status, body]).toEqual([201, expect.objectContaining(shown("CreateUpdatePlaylistFormRequest"))]);
    expect(body.tracks).toEqual([expect.objectContaining({ urn: made.names.full })]);
  },
  OAuthToken: async () => {
    const { app, tokens } = await auth.signedIn();
    expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
  },
  StorefrontUpdateRequest: async () => {
    const json = { title: "LP", type: "vinyl", link: "https://shop.example/" };
    expect((await api.as(made.ana).put(`${trackPath()}/storefront`, { json })).status).toBe(404);
  },
};

test.each(Object.keys(SENT))("%s is taken with all its fields", async (schema) => {
  await SENT[schema]?.();
});
