import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { type Entry, get, one, post, remove, several } from "../../lib/http/statements.support.ts";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { uploadAllParts, words } from "../../support/tracks.ts";

const FILE = { filename: "a.wav", size: 10, type: "audio/wav" };
const STORAGE = "storage is asked in between";
const GIVING_UP = "what is there to give up, and whether it may be, comes before it is marked";
const COMPLETING = "the parts are held against the session before it moves, and storage is asked in between";

/** A user of its own, because five sessions may be open. */
async function createUpload() {
  const who = await createUser();
  const { upload, parts } = await uploadAllParts(who, words(), "a.wav");
  return {
    who,
    parts,
    path: `/uploads/${upload.id}`,
    uppy: `${upload.companion_url}/s3/multipart`,
    id: upload.id,
  };
}

/** Sends a whole file as Uppy does: 5 its bytes, 6 a form. */
async function send(method: "PUT" | "POST"): Promise<Response> {
  const { companion_url } = (await api.as(await createUser()).post<Upload>("/uploads", { json: FILE })).body;
  const bytes = new Blob(["0123456789"]);
  const form = new FormData();
  form.set("file", bytes, FILE.filename);
  return fetch(`${companion_url}/s3/form`, { method, body: method === "PUT" ? bytes : form });
}

export const UPLOADING: Record<string, Entry> = {
  "POST /uploads": several(2, STORAGE, async () => post("/uploads", FILE, {}, await createUser())),
  "GET /uploads": one(() => get("/uploads")),
  "GET /uploads/{id}": one(async () => {
    const { path, who } = await createUpload();
    return get(path, undefined, {}, who);
  }),
  "DELETE /uploads/{id}": several(2, GIVING_UP, async () => {
    const { path, who } = await createUpload();
    return remove(path, undefined, {}, who);
  }),
  "POST /uploads/{id}/parts": one(async () => {
    const { path, who } = await createUpload();
    return post(`${path}/parts`, { numbers: [1] }, {}, who);
  }),
  "POST /uploads/{id}/complete": several(3, COMPLETING, async () => {
    const { path, parts, who } = await createUpload();
    return post(`${path}/complete`, { parts }, {}, who);
  }),
  "POST /uploads/companion/{token}/s3/multipart": one(async () => post((await createUpload()).uppy, FILE)),
  "GET /uploads/companion/{token}/s3/multipart/{uploadId}": one(async () => {
    const { uppy, id } = await createUpload();
    return get(`${uppy}/${id}?key=x`);
  }),
  "DELETE /uploads/companion/{token}/s3/multipart/{uploadId}": several(2, GIVING_UP, async () => {
    const { uppy, id } = await createUpload();
    return remove(`${uppy}/${id}?key=x`);
  }),
  "GET /uploads/companion/{token}/s3/multipart/{uploadId}/{number}": one(async () => {
    const { uppy, id } = await createUpload();
    return get(`${uppy}/${id}/1?key=x`);
  }),
  "POST /uploads/companion/{token}/s3/multipart/{uploadId}/complete": several(3, COMPLETING, async () => {
    const { uppy, id, parts } = await createUpload();
    const named = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    return post(`${uppy}/${id}/complete?key=x`, { parts: named });
  }),
  "GET /uploads/companion/{token}/s3/params": one(async () => {
    const { uppy } = await createUpload();
    return get(uppy.replace("multipart", "params"));
  }),
  "PUT /uploads/companion/{token}/s3/form": several(3, COMPLETING, () => send("PUT")),
  "POST /uploads/companion/{token}/s3/form": several(3, COMPLETING, () => send("POST")),
};
