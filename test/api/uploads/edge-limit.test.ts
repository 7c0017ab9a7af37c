import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "../../support/people.ts";
import { startSecondWorker } from "../../support/second-worker.ts";
import { shortWav } from "../../support/tracks.ts";
import { MIB } from "./uploads.support.ts";

let narrow: Awaited<ReturnType<typeof startSecondWorker>>;
beforeAll(async () => {
  narrow = await startSecondWorker(() => ({ EDGE_BODY_LIMIT_MB: "1" }));
});
afterAll(() => narrow.stop());

async function upload(file: Blob) {
  const { token } = await createUser();
  const body = new FormData();
  body.set("track[title]", "Large");
  body.set("track[asset_data]", file, "song.wav");
  const reply = await fetch(narrow.at("/tracks"), {
    method: "POST",
    headers: { Authorization: `OAuth ${token}` },
    body,
  });
  return { status: reply.status, text: await reply.text() };
}

test("413: a form above what the network before the service takes is told where larger files go", async () => {
  const { status, text } = await upload(new Blob([Buffer.alloc(MIB + 1)]));
  expect(status).toBe(413);
  expect(text).toContain("A form may have 1 MB at most here; upload larger files in parts, by POST /uploads");
});

test("201: a form below it", async () => {
  expect((await upload(shortWav(1))).status).toBe(201);
});
