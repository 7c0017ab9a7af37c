import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { GetObjectCommand, HeadObjectCommand, ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { keysUnder } from "../../encoding/sweep.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { s3 } from "../../support/tracks.ts";

export const MIB = 2 ** 20;

export type Stored = Upload & { parts: { number: number; size: number; etag: string }[] };

export const asked = (size = 100, more = {}) => ({ filename: "song.wav", size, type: "audio/wav", ...more });

export const open = async (who: Person, size = 100) =>
  (await api.as(who).post<Upload>("/uploads", { json: asked(size) })).body;

export const giveUp = (who: Person, ...uploads: Upload[]) =>
  Promise.all(uploads.map(({ id }) => api.as(who).delete(`/uploads/${id}`)));

export const partUrl = async (who: Person, upload: Upload, number = 1) => {
  const json = { numbers: [number] };
  const { body } = await api
    .as(who)
    .post<{ urls: Record<string, string> }>(`/uploads/${upload.id}/parts`, { json });
  return body.urls[number] ?? "";
};

export const put = async (url: string, body: BodyInit, method = "PUT") => {
  const reply = await fetch(url, { method, body });
  await reply.arrayBuffer();
  return { status: reply.status, etag: reply.headers.get("ETag") ?? "" };
};

export const complete = <Body = Upload>(
  who: Person,
  { id }: Upload,
  parts: { number: number; etag: string }[],
) => api.as(who).post<Body>(`/uploads/${id}/complete`, { json: { parts } });

export const row = async ({ id }: Upload) => {
  const [found] = await sql<{ status: string; key: string; storage: string }>(
    "select status, object_key as key, storage_upload_id as storage from uploads where id = $1",
    [id],
  );
  if (!found) throw new Error(`No upload ${id}`);
  return found;
};

export const storedSize = async (key: string) =>
  s3.send(new HeadObjectCommand({ Bucket: UPLOADS_BUCKET, Key: key })).then(
    ({ ContentLength }) => ContentLength,
    () => undefined,
  );

export const storedBytes = async (key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: UPLOADS_BUCKET, Key: key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};

/** Whether storage still holds parts of it. */
export const isOpenInStorage = async (key: string) => {
  const { Uploads = [] } = await s3.send(
    new ListMultipartUploadsCommand({ Bucket: UPLOADS_BUCKET, Prefix: key }),
  );
  return Uploads.some(({ Key }) => Key === key);
};

export const causes = (reply: { body: ErrorReply }) =>
  reply.body.errors.map(({ error_message }) => error_message).join();

/** Two parts, the second shorter. */
export const TWO_PARTS = new Blob([new Uint8Array(16 * MIB), new Uint8Array(1000)]);

/** The user's objects, and uploads with parts in storage. */
export async function storedBy(who: Person) {
  const Prefix = `in/${who.id}/`;
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: UPLOADS_BUCKET, Prefix }));
  return { objects: await keysUnder("uploads", Prefix), open: Uploads.length };
}

/** A form whose body the test controls. It began with the file. */
export function sending(who: Person, headers: Record<string, string | number>) {
  const { hostname, port } = new URL(stack.urls.api);
  const type = "multipart/form-data; boundary=b0undary";
  const sent = request({
    hostname,
    port,
    method: "POST",
    path: "/tracks",
    headers: { Authorization: `OAuth ${who.token}`, "Content-Type": type, ...headers },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject);
  });
  sent.write(
    `--b0undary\r\nContent-Disposition: form-data; name="track[asset_data]"; filename="a.wav"\r\n\r\n`,
  );
  const content = answered.then(text);
  return { sent, content, status: content.then(async () => (await answered).statusCode) };
}
