import { beforeEach, describe, expect, test } from "vitest";
import { MAX_UPLOAD_BYTES } from "../../../functions/api/uploads/limits.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { words } from "../../support/tracks.ts";
import { file, formOf, garbageOf, title, uploadForm } from "./classic-upload.support.ts";
import { causes, isOpenInStorage, MIB, sending, storedSize } from "./uploads.support.ts";

/** The rest of a form that `sending` began. */
const REST = `RIFF\r\n--b0undary\r\nContent-Disposition: form-data; name="track[title]"\r\n\r\nA song\r\n--b0undary--\r\n`;

describe("a classic upload that fails", () => {
  let bob: Person;
  beforeEach(async () => {
    bob = await createUser();
  });

  test("leaves nothing if the client disconnects midway", async () => {
    const { sent, status } = sending(bob, { "Content-Length": 40 * MIB });
    const hungUp = expect(status).rejects.toThrow();
    sent.write(Buffer.alloc(20 * MIB));
    await expect.poll(() => garbageOf(bob)).toHaveLength(1);
    const [key = ""] = await garbageOf(bob);
    await expect.poll(() => isOpenInStorage(key)).toBe(true);
    sent.destroy();
    await hungUp;
    await expect.poll(() => garbageOf(bob)).toEqual([]);
    expect(await isOpenInStorage(key)).toBe(false);
    expect(await storedSize(key)).toBeUndefined();
  });

  test("is refused before sending if it announces more than 4 GiB (X58)", async () => {
    const { sent, status } = sending(bob, { "Content-Length": MAX_UPLOAD_BYTES + 20 * MIB });
    expect(await status).toBe(413);
    sent.destroy();
    expect(await garbageOf(bob)).toEqual([]);
  });

  test("is refused if the body ends early", async () => {
    const { sent, status } = sending(bob, { "Transfer-Encoding": "chunked" });
    sent.end("RIFF");
    expect(await status).toBe(400);
    expect(await garbageOf(bob)).toEqual([]);
  });

  test("receives its refusal however much remains to be sent", async () => {
    const large = file(new Blob([new Uint8Array(30 * MIB)]));
    expect((await uploadForm(bob, [["track[sharing]", "maybe"], large])).status).toBe(422);
    expect((await api.post("/tracks", { raw: formOf([title, large]) })).status).toBe(401);
    expect(await garbageOf(bob)).toEqual([]);
  });

  test("never inflates a compressed body (X35)", async () => {
    const { sent, status } = sending(bob, { "Content-Encoding": "gzip" });
    sent.end();
    expect(await status).toBe(415);
    expect(await garbageOf(bob)).toEqual([]);
  });

  test("learns that its session has ended before anything is stored", async () => {
    await api.as(bob).post("/sign-out", { json: { access_token: bob.token } });
    expect((await uploadForm(bob, [title, file(words())])).status).toBe(401);
    expect(await garbageOf(bob)).toEqual([]);
  });

  test("leaves nothing if its session ends midway", async () => {
    const { sent, status } = sending(bob, { "Transfer-Encoding": "chunked" });
    await expect.poll(() => garbageOf(bob)).toHaveLength(1);
    const [key = ""] = await garbageOf(bob);
    await api.as(bob).post("/sign-out", { json: { access_token: bob.token } });
    sent.end(REST);
    expect(await status).toBe(401);
    expect([await garbageOf(bob), await storedSize(key)]).toEqual([[], undefined]);
  });

  test("becomes no track after a day, when the sweep may be deleting its file", async () => {
    const { sent, status, content } = sending(bob, { "Transfer-Encoding": "chunked" });
    await expect.poll(() => garbageOf(bob)).toHaveLength(1);
    await sql("update object_garbage set due_at = now() where prefix = any($1)", [await garbageOf(bob)]);
    sent.end(REST);
    expect(await status).toBe(422);
    expect(await content).toContain("track[asset_data]: the upload is expired");
    expect((await api.as(bob).get("/me/tracks")).body).toEqual([]);
  });

  test("cannot carry a file in JSON", async () => {
    const reply = await api
      .as(bob)
      .post<ErrorReply>("/tracks", { json: { track: { title: "A", asset_data: "x" } } });
    expect(reply.status).toBe(422);
    expect(causes(reply)).toContain("track[asset_data]");
  });
});
