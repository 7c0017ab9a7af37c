import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

const VTT = "WEBVTT\n\n00:00.000 --> 00:01.500\n<v Ana>Hello <b>you</b>\n\n00:02.000 --> 00:03.000\nBye";
const SRT = "1\n00:00:00,000 --> 00:00:01,500\nAna: Hello you\n\n2\n00:00:02,000 --> 00:00:03,000\nBye\n";
const SEGMENTS = [
  { speaker: "Ana", startTime: 0, endTime: 1.5, body: "Hello you" },
  { startTime: 2, endTime: 3, body: "Bye" },
];

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUser(), createUser()]);
});

const inJson = (content: string, language?: string) => ({ json: { transcript: { content, language } } });

function inForm(content: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.append("transcript[file]", new Blob([content]), "words.srt");
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return { raw: form };
}

async function createSaid(columns: Record<string, unknown> = {}) {
  const track = await createPlayableTrack(ana, columns);
  const path = `/tracks/${track.id}/transcript`;
  expect((await api.as(ana).put(path, inJson(VTT, "en"))).status).toBe(200);
  return { ...track, path };
}

test("a transcript is sent as text or as a file, read in every format, replaced and removed", async () => {
  const { path } = await createSaid();
  const as = api.as(ben);
  expect((await as.get(path)).body).toEqual({ version: "1.0.0", language: "en", segments: SEGMENTS });
  const vtt = await as.get<string>(`${path}/vtt`);
  expect(vtt.headers.get("Content-Type")).toBe("text/vtt; charset=utf-8");
  expect(vtt.body).toContain("00:00:00.000 --> 00:00:01.500\n<v Ana>Hello you\n");
  const sent = await api.as(ana).put(path, inForm(`\uFEFF${SRT}`, { "transcript[language]": "pt-BR" }));
  expect(sent.body).toEqual({ version: "1.0.0", language: "pt-BR", segments: SEGMENTS });
  expect((await as.get<string>(`${path}/srt`)).body).toBe(SRT);
  for (const _ of ["once", "again"]) expect((await api.as(ana).delete(path)).status).toBe(200);
  expect((await as.get(path)).status).toBe(404);
});

test.each([
  [
    inJson("WEBVTT\n\n00:02.000 --> 00:01.000\nHi"),
    422,
    "transcript[content]: line 3: ends before it begins",
  ],
  [inJson(VTT, "english"), 422, "transcript[language]"],
  [{ json: { transcript: {} } }, 422, "transcript[content]: is missing"],
  [{ json: {} }, 400, "transcript"],
  [inForm(new Uint8Array([0xff, 0xfe, 0x41])), 422, "transcript[file]: is not UTF-8"],
  [inForm("no times"), 422, "transcript[file]: line 1: has no times"],
  [inForm("a".repeat(1_000_001)), 413, ""],
])(
  "%# what is no transcript is refused by the field's name, and nothing is saved",
  async (sent, status, fault) => {
    const { path } = await createSaid();
    const reply = await api.as(ana).put(path, sent);
    expect(reply.status).toBe(status);
    expect(JSON.stringify(reply.body)).toContain(fault);
    expect((await api.as(ana).get(path)).body).toMatchObject({ segments: SEGMENTS });
  },
);

test("chapters are sent as their file, go before those of the description, and are removed", async () => {
  const { id } = await createPlayableTrack(ana, { description: "0:00 Hello\n0:05 Guest" });
  const path = `/tracks/${id}/chapters`;
  const described = [
    { startTime: 0, title: "Hello" },
    { startTime: 5, title: "Guest" },
  ];
  expect((await api.as(ben).get(path)).body).toMatchObject({ source: "description", chapters: described });
  const chapters = [
    { startTime: 0.5, title: "Intro", url: "https://example.com/", img: "https://example.com/a.jpg" },
    { startTime: 4, endTime: 6, title: "Middle", toc: false },
    { startTime: 600, title: "After the end" },
  ];
  const json = { version: "1.2.0", author: "Ana", chapters };
  const sent = await api.as(ana).put(path, { json });
  expect(sent.body).toEqual({ version: "1.2.0", source: "uploaded", chapters });
  const read = await api.as(ben).get(path);
  expect(read.body).toEqual({ version: "1.2.0", source: "uploaded", chapters: chapters.slice(0, 2) });
  expect((await api.as(ana).get(`/tracks/${id}/episode`)).body).toMatchObject({
    chapters: [
      { start: 500, title: "Intro" },
      { start: 4_000, title: "Middle" },
    ],
  });
  expect((await api.as(ana).delete(path)).status).toBe(200);
  expect((await api.as(ben).get(path)).body).toMatchObject({ source: "description" });
});

test.each([
  [[], "chapters: must hold a chapter"],
  [[{ startTime: -1 }], "chapters[0][startTime]"],
  [[{ startTime: 0 }, { startTime: 0 }], "chapters[1][startTime]: must be later"],
  [[{ startTime: 3, endTime: 2 }], "chapters[0][endTime]: must be later"],
  [[{ startTime: 0, url: "javascript:alert(1)" }], "chapters[0][url]: is no web address"],
  [[{ startTime: 0, img: "data:image/svg+xml,x" }], "chapters[0][img]"],
  [[{ startTime: 0, title: "x".repeat(301) }], "chapters[0][title]"],
  [Array.from({ length: 501 }, (_, startTime) => ({ startTime })), "may hold 500 chapters at most"],
])("422: %# wrong chapters are refused by the field's name", async (chapters, fault) => {
  const { id } = await createPlayableTrack(ana);
  const reply = await api.as(ana).put(`/tracks/${id}/chapters`, { json: { chapters } });
  expect(reply.status).toBe(422);
  expect(JSON.stringify(reply.body)).toContain(fault);
});

describe("what belongs to a track", () => {
  const CHAPTERS = { json: { chapters: [{ startTime: 0, title: "One" }] } };

  test("403 or 404: is written by its owner alone", async () => {
    const [open, hidden] = [await createSaid(), await createSaid({ sharing: "private" })];
    for (const [{ id }, status] of [
      [open, 403],
      [hidden, 404],
      [{ id: 1 }, 404],
    ] as const) {
      expect((await api.as(ben).put(`/tracks/${id}/transcript`, inJson(VTT))).status).toBe(status);
      expect((await api.as(ben).put(`/tracks/${id}/chapters`, CHAPTERS)).status).toBe(status);
      for (const of of ["transcript", "chapters"])
        expect((await api.as(ben).delete(`/tracks/${id}/${of}`)).status).toBe(status);
    }
    expect((await api.as(ana).get(open.path)).body).toMatchObject({ segments: SEGMENTS });
  });

  test("is read by whoever may play it whole, and by its owner", async () => {
    const hidden = await createSaid({ sharing: "private" });
    expect((await api.as(ben).get(hidden.path)).status).toBe(404);
    expect((await api.as(ben).get(`${hidden.path}?secret_token=${hidden.secret}`)).status).toBe(200);
    for (const columns of [{ paywall: "preview" }, { streamable: false }]) {
      const { path } = await createSaid(columns);
      for (const of of [path, `${path}/vtt`, path.replace("transcript", "chapters")])
        expect((await api.as(ben).get(of)).status, of).toBe(403);
      expect((await api.as(ana).get(path)).status).toBe(200);
    }
  });

  test("is at lasting addresses of the site, which any page may read, under the same right", async () => {
    const hidden = await createSaid({ sharing: "private", permalink: "hidden" });
    const open = await createSaid({ permalink: "open", description: "0:00 A\n0:05 B" });
    await createSaid({ permalink: "closed", streamable: false });
    const at = (rest: string) => fetch(`${stack.urls.web}/${ana.username}/${rest}`);
    const types = { vtt: "text/vtt", srt: "application/x-subrip", json: "application/json" };
    for (const [format, type] of Object.entries(types)) {
      const reply = await at(`open/transcript.${format}`);
      expect([reply.status, reply.headers.get("Content-Type")]).toEqual([200, `${type}; charset=utf-8`]);
      expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(await reply.text()).toContain("Hello you");
      expect((await at(`hidden/transcript.${format}`)).status).toBe(404);
      expect((await at(`hidden/${hidden.secret}/transcript.${format}`)).status).toBe(200);
      expect((await at(`closed/transcript.${format}`)).status).toBe(403);
    }
    expect((await at("closed/chapters.json")).status).toBe(403);
    await api.as(ana).put(`/tracks/${open.id}/chapters`, CHAPTERS);
    expect(await (await at("open/chapters.json")).json()).toEqual({
      version: "1.2.0",
      chapters: [{ startTime: 0, title: "One" }],
    });
  });

  test("404: is not stored for a track that is deleted at the same moment", async () => {
    const { id } = await createPlayableTrack(ana);
    const save = () => api.as(ana).put(`/tracks/${id}/transcript`, inJson(VTT));
    expect((await askDuring("delete from tracks where id = $1", [id], save)).status).toBe(404);
  });
});
