import { UploadPartCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { createUser, type Person } from "../../support/people.ts";
import { s3 } from "../../support/tracks.ts";
import {
  causes,
  complete,
  giveUp,
  isOpenInStorage,
  MIB,
  open,
  partUrl,
  put,
  row,
  type Stored,
  storedBy,
  storedBytes,
} from "./uploads.support.ts";

invariantsHoldAfterwards();

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

/** Uppy's default, whatever the file. */
const PART = 5 * MIB;

const file = new Blob([new Uint8Array(PART).fill(1), new Uint8Array(PART).fill(2), "the end"]);

const baseOf = ({ companion_url, id }: Upload) => `${companion_url}/s3/multipart/${id}`;

const signed = (upload: Upload, number: number) =>
  api.get<{ url: string } & ErrorReply>(`${baseOf(upload)}/${number}?key=k`);

interface UppyPart {
  PartNumber: number;
  ETag: string;
}

const send = (upload: Upload, parts: UppyPart[]) =>
  api.post<ErrorReply>(`${baseOf(upload)}/complete?key=k`, { json: { parts } });

async function sendParts(upload: Upload): Promise<UppyPart[]> {
  const parts: UppyPart[] = [];
  for (let at = 0, number = 1; at < file.size; at += PART, number++) {
    const { url } = (await signed(upload, number)).body;
    parts.push({ PartNumber: number, ETag: (await put(url, file.slice(at, at + PART))).etag });
  }
  return parts;
}

const read = async (upload: Upload) => (await api.as(ana).get<Stored>(`/uploads/${upload.id}`)).body;

describe("parts that Uppy sends", () => {
  test("have 5 MiB each, and storage takes not a byte more or less", async () => {
    const upload = await open(ana, file.size);
    for (const [number, size] of [
      [1, PART],
      [2, PART],
      [3, 7],
    ] as const) {
      const { url } = (await signed(upload, number)).body;
      for (const wrong of [0, size - 1, size + 1])
        expect((await put(url, new Blob([new Uint8Array(wrong)]))).status).toBe(403);
      expect((await put(url, new Blob([new Uint8Array(size)]))).status).toBe(200);
    }
    const excess = await signed(upload, 4);
    expect([excess.status, causes(excess)]).toEqual([422, "number: the upload has 3 parts"]);
    await giveUp(ana, upload);
  });

  test("make up the file, and a repetition replies the same", async () => {
    const upload = await open(ana, file.size);
    const parts = await sendParts(upload);
    expect((await send(upload, parts.toReversed())).status).toBe(200);
    expect((await send(upload, parts)).status).toBe(200);
    const stored = await storedBytes((await row(upload)).key);
    expect(stored.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  });

  test("are checked before storage joins them, and can be sent again", async () => {
    const upload = await open(ana, file.size);
    const parts = await sendParts(upload);
    const [one, two, three] = parts;
    if (!one || !two || !three) throw new Error("three parts");
    const refusals: [typeof parts, number, string][] = [
      [[], 409, "Parts are missing: 1"],
      [[one, three], 409, "Parts are missing: 2"],
      [[...parts, { ...three, PartNumber: 5 }], 422, "parts: the upload has 3 parts"],
      [[one, two, { ...three, ETag: two.ETag }], 409, "Parts do not match the stored ones: 3"],
      [[one, one, two, three], 422, "parts: a number appears twice"],
      [[{ ...one, PartNumber: 10_001 }], 422, "10000"],
    ];
    for (const [sent, status, text] of refusals) {
      const refused = await send(upload, sent);
      expect([refused.status, causes(refused)]).toEqual([status, expect.stringContaining(text)]);
    }
    const { etag } = await put((await signed(upload, 3)).body.url, "THE END");
    expect((await send(upload, [one, two, { PartNumber: 3, ETag: etag }])).status).toBe(200);
  });

  test("replace the session's own, whose addresses then take nothing more", async () => {
    const upload = await open(ana, file.size);
    const own = await partUrl(ana, upload);
    expect((await put(own, file)).status).toBe(200);
    await api.post(`${upload.companion_url}/s3/multipart`, { json: {} });
    expect((await put(own, file)).status).toBe(404);
    expect(await read(upload)).toMatchObject({ part_size: PART, part_count: 3, parts: [] });
    const parts = await sendParts(upload);
    expect((await read(upload)).parts.map(({ size }) => size)).toEqual([PART, PART, 7]);
    expect((await put(await partUrl(ana, upload, 3), "the end")).status).toBe(200);
    const sent = parts.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag }));
    expect((await complete(ana, upload, sent)).body.status).toBe("ready");
  });

  test("have one upload in storage, though Uppy asks for several at once", async () => {
    const who = await createUser();
    const upload = await open(who, file.size);
    const asked = await Promise.all([1, 2, 3, 1, 2, 3].map((number) => signed(upload, number)));
    expect(asked.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const ids = asked.map(({ body }) => new URL(body.url).searchParams.get("uploadId"));
    expect(new Set(ids)).toEqual(new Set([(await row(upload)).storage]));
    expect(await storedBy(who)).toMatchObject({ open: 1 });
    await giveUp(who, upload);
  });

  test("end their session if storage holds more than was announced", async () => {
    const upload = await open(ana, file.size);
    await signed(upload, 1);
    const { key, storage } = await row(upload);
    const excess = { Bucket: UPLOADS_BUCKET, Key: key, UploadId: storage, PartNumber: 1 };
    await s3.send(new UploadPartCommand({ ...excess, Body: new Uint8Array(file.size + 1) }));
    const refused = await signed(upload, 2);
    expect([refused.status, causes(refused)]).toEqual([
      409,
      `The upload holds ${file.size + 1} bytes, not the announced ${file.size}, and was ended`,
    ]);
    expect((await row(upload)).status).toBe("aborted");
    expect(await isOpenInStorage(key)).toBe(false);
    expect((await signed(upload, 2)).status).toBe(409);
  });
});
