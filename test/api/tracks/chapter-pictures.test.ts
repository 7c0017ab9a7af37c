import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { api, type ErrorReply } from "../../support/api.ts";
import { createForm, createPng, SVG } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

interface Chapters {
  source: string;
  chapters: { startTime: number; title?: string; img?: string }[];
}

let ana: Person;
beforeAll(async () => {
  ana = await createUser();
});

const CHAPTERS = [
  { startTime: 0, title: "Hello" },
  { startTime: 0.5, title: "The guest", img: "https://elsewhere.example/guest.jpg" },
];

async function createChapters(): Promise<string> {
  const { id } = await createPlayableTrack(ana, { permalink: `talk-${Math.random().toString(36).slice(2)}` });
  const path = `/tracks/${id}/chapters`;
  await api.as(ana).put(path, { json: { chapters: CHAPTERS } });
  return path;
}

const put = async (path: string, picture?: Uint8Array, who = ana) =>
  api
    .as(who)
    .put<Chapters & ErrorReply>(
      path,
      createForm({ "chapter[picture_data]": picture ?? (await createPng(300, 200)) }),
    );

const imagesOf = async (path: string) =>
  (await api.as(ana).get<Chapters>(path)).body.chapters.map(({ img }) => img);

/** Whether the picture is listed for deletion, and closed until then. */
async function becameGarbage(url = ""): Promise<boolean> {
  const prefix = `images/${/images\/([0-9a-f]+)-/.exec(url)?.[1]}/`;
  return (await sql("select from object_garbage where prefix = $1 and closed", [prefix])).length > 0;
}

test("a chapter's picture is stored as squares, and takes the place of one elsewhere", async () => {
  const path = await createChapters();
  const { status, body } = await put(`${path}/500/picture`);
  const img = body.chapters[1]?.img ?? "";
  expect([status, await imagesOf(path)]).toEqual([200, [undefined, img]]);
  for (const [format, side] of [
    ["t1000x1000", 1_000],
    ["large", 100],
  ] as const) {
    const reply = await fetch(img.replace("t1000x1000", format));
    const { width, height, format: kind } = await sharp(await reply.arrayBuffer()).metadata();
    expect([kind, width, height]).toEqual(["jpeg", side, side]);
  }
  expect(await becameGarbage(img)).toBe(false);
  const prefix = `images/${/images\/([0-9a-f]+)-/.exec(img)?.[1]}/`;
  expect(
    await sql("select kind from stored_objects where prefix = $1 and user_id = $2", [prefix, ana.id]),
  ).toEqual([{ kind: "picture" }]);
});

test("chapters that are sent back keep their pictures, and what no chapter names becomes garbage", async () => {
  const path = await createChapters();
  await put(`${path}/0/picture`);
  const { body } = await put(`${path}/500/picture`);
  const [first = "", second = ""] = body.chapters.map(({ img }) => img);
  const moved = body.chapters.map((chapter) => ({ ...chapter, startTime: chapter.startTime + 0.1 }));
  await api.as(ana).put(path, { json: { chapters: moved } });
  expect(await imagesOf(path)).toEqual([first, second]);
  await api.as(ana).put(path, { json: { chapters: moved.slice(1) } });
  expect([await becameGarbage(first), await becameGarbage(second)]).toEqual([true, false]);
  const third = (await put(`${path}/600/picture`)).body.chapters[0]?.img;
  expect([await becameGarbage(second), await becameGarbage(third)]).toEqual([true, false]);
  const json = { chapter: { picture_data: null } };
  await api.as(ana).put(`${path}/600/picture`, { json });
  expect([await imagesOf(path), await becameGarbage(third)]).toEqual([[undefined], true]);
});

test.each([
  ["the chapters", (path: string) => path],
  ["the track", (path: string) => path.replace("/chapters", "")],
])("with %s goes the picture", async (_what, deleted) => {
  const path = await createChapters();
  const { body } = await put(`${path}/0/picture`);
  expect((await api.as(ana).delete(deleted(path))).status).toBe(200);
  expect(await becameGarbage(body.chapters[0]?.img)).toBe(true);
});

test("naming another track's picture gives no hold on it", async () => {
  const [path, other] = [await createChapters(), await createChapters()];
  const { body } = await put(`${path}/0/picture`);
  await api.as(ana).put(other, { json: { chapters: body.chapters } });
  await api.as(ana).delete(other);
  expect(await becameGarbage(body.chapters[0]?.img)).toBe(false);
});

test("404: no chapter begins there, or they are the description's, and nothing is kept", async () => {
  const path = await createChapters();
  expect((await put(`${path}/1/picture`)).status).toBe(404);
  const track = { description: "0:00 Hello\n0:01 Guest" };
  const { id } = await createPlayableTrack(ana, { permalink: "described-talk" });
  await api.as(ana).put(`/tracks/${id}`, { json: { track } });
  expect((await put(`/tracks/${id}/chapters/0/picture`)).status).toBe(404);
  expect(await imagesOf(path)).toEqual([undefined, "https://elsewhere.example/guest.jpg"]);
});

test("403: another user's chapter keeps its picture", async () => {
  const path = await createChapters();
  expect((await put(`${path}/0/picture`, undefined, await createUser())).status).toBe(403);
  expect(await imagesOf(path)).toEqual([undefined, CHAPTERS[1]?.img]);
});

test("422: what is no picture is refused by its field", async () => {
  const path = await createChapters();
  const { status, body } = await put(`${path}/0/picture`, SVG);
  expect([status, body.errors[0]?.error_message]).toEqual([
    422,
    "chapter[picture_data]: is not a JPEG, PNG or GIF image",
  ]);
});
