import { describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { swept } from "../../encoding/sweep.support.ts";
import { api } from "../../support/api.ts";
import { Browser, createMember, linkIn, mailTo } from "../../support/browser.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { uploadAllParts, words } from "../../support/tracks.ts";
import { complete, isOpenInStorage, row } from "./uploads.support.ts";

invariantsHoldAfterwards();

interface Uploading {
  who: Person;
  upload: Upload;
  parts: { number: number; etag: string }[];
}

async function uploading(who: Person): Promise<Uploading> {
  return { who, ...(await uploadAllParts(who, words(), "a.wav")) };
}

const signOut = ({ token }: Person) => api.post("/sign-out", { json: { access_token: token } });

/** Statuses of Uppy's calls. */
async function answers({ upload, parts }: Uploading): Promise<number[]> {
  const base = `${upload.companion_url}/s3/multipart`;
  const key = `key=uploads/${upload.id}`;
  const json = { parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) };
  const replies = [
    await api.post<unknown>(base, { json: {} }),
    await api.get<unknown>(`${base}/${upload.id}?${key}`),
    await api.get<unknown>(`${base}/${upload.id}/1?${key}`),
    await api.delete<unknown>(`${base}/${upload.id}?${key}`),
    await api.post<unknown>(`${base}/${upload.id}/complete?${key}`, { json }),
  ];
  return replies.map(({ status }) => status);
}

const ENDED = [404, 404, 404, 404, 404];

describe("a companion URL ends", () => {
  test("with the session that requested it, and no other session's does", async () => {
    const who = await createUser();
    const elsewhere = { ...who, token: await tokenOf(who.app, who.username) };
    const mine = await uploading(who);
    const again = (await api.as(elsewhere).get<Upload>(`/uploads/${mine.upload.id}`)).body;
    expect((await signOut(who)).status).toBe(200);
    expect(await answers(mine)).toEqual(ENDED);
    expect((await row(mine.upload)).status).toBe("open");
    const listed = await api.get(`${again.companion_url}/s3/multipart/${again.id}?key=k`);
    expect([listed.status, listed.body]).toEqual([200, [expect.objectContaining({ PartNumber: 1 })]]);
    expect((await complete(elsewhere, mine.upload, mine.parts)).status).toBe(200);
  });

  test("when the user revokes the app or resets the password", async () => {
    const { browser, id, username, email } = await createMember();
    const [app, other] = [await createApp(), await createApp()];
    const [one, two] = await Promise.all(
      [app, other].map(async (by) => ({ id, username, app: by, token: await tokenOf(by, username) })),
    );
    const [first, second] = [await uploading(one as Person), await uploading(two as Person)];
    await sql("insert into consents (user_id, app_id) values ($1, $2)", [id, app.id]);
    await browser.submit("/settings", `/settings/apps/${app.id}/revoke`);
    expect(await answers(first)).toEqual(ENDED);
    expect(
      (await api.get(`${second.upload.companion_url}/s3/multipart/${second.upload.id}?key=k`)).status,
    ).toBe(200);
    await new Browser().submit("/forgot", "/forgot", { email });
    const link = linkIn(await mailTo(email, "new password"));
    await new Browser().submit(link, "/reset", { password: "another horse battery" });
    expect(await answers(second)).toEqual(ENDED);
  });

  test("when its app or user is disabled", async () => {
    const [app, who] = [await createApp(), await createUser()];
    const own = await uploading(await createUser({ app }));
    await sql("update apps set disabled_at = now() where id = $1", [app.id]);
    expect(await answers(own)).toEqual(ENDED);
    const mine = await uploading(who);
    await sql("update users set disabled_at = now() where id = $1", [who.id]);
    expect(await answers(mine)).toEqual(ENDED);
  });

  test("with its upload, once a track exists or its time is over", async () => {
    const who = await createUser();
    const [used, overdue] = [await uploading(who), await uploading(who)];
    await complete(who, used.upload, used.parts);
    await api.as(who).post("/tracks", { json: { track: { upload_id: used.upload.id, title: "Used" } } });
    expect(await answers(used)).toEqual(ENDED);
    await sql("update uploads set expires_at = now() where id = $1", [overdue.upload.id]);
    expect(await answers(overdue)).toEqual(ENDED);
  });
});

test("401: after a sign-out an upload cannot complete, and it expires with its parts (F55)", async () => {
  const who = await createUser();
  const mine = await uploading(who);
  expect((await signOut(who)).status).toBe(200);
  expect((await complete(who, mine.upload, mine.parts)).status).toBe(401);
  const track = { track: { upload_id: mine.upload.id, title: "Late" } };
  expect((await api.as(who).post("/tracks", { json: track })).status).toBe(401);
  expect(await answers(mine)).toEqual(ENDED);
  const { key } = await row(mine.upload);
  expect(await isOpenInStorage(key)).toBe(true);
  await sql("update uploads set expires_at = now() where id = $1", [mine.upload.id]);
  await swept(async () => [(await row(mine.upload)).status, await isOpenInStorage(key)]).toEqual([
    "expired",
    false,
  ]);
  const back = { ...who, token: await tokenOf(who.app, who.username) };
  expect((await complete(back, mine.upload, mine.parts)).status).toBe(409);
  expect((await api.as(back).get<Upload>(`/uploads/${mine.upload.id}`)).body.status).toBe("expired");
});
