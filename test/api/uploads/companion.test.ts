import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { uploadAllParts, words } from "../../support/tracks.ts";
import { causes, giveUp, isOpenInStorage, open, put, row } from "./uploads.support.ts";

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUser(), createUser()]);
});

describe("the calls of an unmodified Uppy", () => {
  const calls = ({ companion_url, id }: Upload, key = "uploads/x") => ({
    create: `${companion_url}/s3/multipart`,
    parts: `${companion_url}/s3/multipart/${id}?key=${key}`,
    part: (number: number | string) => `${companion_url}/s3/multipart/${id}/${number}?key=${key}`,
    complete: `${companion_url}/s3/multipart/${id}/complete?key=${key}`,
  });

  test("work from first to last without a token, in the shapes it reads", async () => {
    const file = words();
    const upload = await open(ana, file.size);
    const created = await api.post<Record<string, string>>(calls(upload).create, {
      json: { filename: "song.wav", type: "audio/wav", metadata: { name: "song.wav" } },
    });
    expect(created.body).toEqual({
      key: expect.any(String),
      uploadId: String(upload.id),
      bucket: expect.any(String),
    });
    const at = calls(upload, encodeURIComponent(created.body.key ?? ""));
    expect((await api.get(at.parts)).body).toEqual([]);
    const { body: signed, headers } = await api.get<{ url: string; expires: number }>(at.part(1));
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(signed).toEqual({ url: expect.stringContaining("X-Amz-Signature"), expires: 3600 });
    expect((await put(signed.url, "x")).status).toBe(403);
    const { etag } = await put(signed.url, file);
    expect((await api.get(at.parts)).body).toEqual([{ PartNumber: 1, Size: file.size, ETag: etag }]);
    const json = { parts: [{ PartNumber: 1, ETag: etag }] };
    for (let n = 0; n < 2; n++) {
      const completion = await api.post(at.complete, { json });
      expect([completion.status, completion.body]).toEqual([
        200,
        { location: expect.any(String), key: created.body.key, bucket: created.body.bucket },
      ]);
    }
    const track = await api
      .as(ana)
      .post("/tracks", { json: { track: { title: "By Uppy", upload_id: upload.id } } });
    expect(track.status).toBe(201);
  });

  test("return an empty object for DELETE, which removes the parts", async () => {
    const { upload } = await uploadAllParts(ana, words(), "a.wav");
    for (let n = 0; n < 2; n++) expect((await api.delete(calls(upload).parts)).body).toEqual({});
    expect(await isOpenInStorage((await row(upload)).key)).toBe(false);
    expect((await api.get(calls(upload).part(1))).status).toBe(409);
    expect((await api.get(calls(upload).parts)).body).toEqual([]);
  });

  test("with a wrong token, another session's id or an excess part are refused", async () => {
    const [mine, other] = [await open(ana), await open(ben)];
    const token = mine.companion_url.split("/").pop() ?? "";
    const wrong = [
      token.slice(0, -1),
      `${token}A`,
      token.replace(/^./, "Z"),
      "x.y",
      ".",
      "%00",
      other.id,
      btoa(String(other.id)),
    ];
    for (const one of wrong) {
      const base = `/uploads/companion/${one}/s3/multipart`;
      expect((await api.post(base, { json: {} })).status).toBe(404);
      expect((await api.get(`${base}/${mine.id}?key=x`)).status).toBe(404);
      expect((await api.get(`${base}/${mine.id}/1?key=x`)).status).toBe(404);
      expect((await api.delete(`${base}/${mine.id}?key=x`)).status).toBe(404);
    }
    expect((await api.get(calls({ ...mine, id: other.id }).parts)).status).toBe(404);
    for (const number of ["0", "-1", "1.5", "x", "100000", "%00"])
      expect((await api.get(calls(mine).part(number))).status).toBe(404);
    expect((await api.get(calls(mine).part(2))).status).toBe(422);
    const missing = await api.post<ErrorReply>(calls(mine).complete, { json: { parts: [] } });
    expect([missing.status, causes(missing)]).toEqual([409, "Parts are missing: 1"]);
    await giveUp(ana, mine);
    await giveUp(ben, other);
  });
});
