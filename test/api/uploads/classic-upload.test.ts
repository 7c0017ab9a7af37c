import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createReadyUpload, shortWav, waitForEncode, words } from "../../support/tracks.ts";
import { type Entry, file, formOf, garbageOf, title, uploadForm } from "./classic-upload.support.ts";
import { causes, MIB, storedBytes } from "./uploads.support.ts";

let ana: Person;
beforeAll(async () => {
  ana = await createUser();
});

const upload = <Body = Track>(entries: Entry[], who = ana, headers: Record<string, string> = {}) =>
  uploadForm<Body>(who, entries, headers);

const originalOf = async ({ id }: Track) => {
  const [row] = await sql<{ key: string; name: string; size: number }>(
    "select original_key as key, original_filename as name, original_content_size::float8 as size from tracks where id = $1",
    [id],
  );
  if (!row) throw new Error(`No track ${id}`);
  return row;
};

describe("a classic upload", () => {
  test("creates a track like an upload session, and it plays", async () => {
    const wav = shortWav(2);
    const { status, headers, body } = await upload([title, ["track[sharing]", "private"], file(wav)]);
    expect(status).toBe(201);
    expect(headers.get("Location")).toBe(body.uri);
    // One statement before storage and one after.
    expect(headers.get("Server-Timing")).toContain("queries: 2");
    expect(body).toMatchObject({
      title: "A song",
      sharing: "private",
      state: "processing",
      original_content_size: wav.size,
    });
    const direct = await api.as(ana).post<Track>("/tracks", {
      json: { track: { upload_id: (await createReadyUpload(ana, wav)).id, title: "Other" } },
    });
    expect(Object.keys(body).sort()).toEqual(Object.keys(direct.body).sort());
    expect((await originalOf(body)).name).toBe("song.wav");
    expect(await garbageOf(ana)).toEqual([]);
    expect(await waitForEncode(ana, body.id)).toMatchObject({ state: "finished", duration: 2000 });
  });

  test("accepts fields after the file, and additional ones", async () => {
    const { status, body } = await upload([
      file(words(), "späte Felder.wav"),
      title,
      ["track[genre]", "Noise"],
      ["track[progress]", "(p) => {}"],
      ["format", "json"],
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: "A song", genre: "Noise" });
    expect((await originalOf(body)).name).toBe("späte Felder.wav");
  });

  test("stores several parts unchanged", async () => {
    const bytes = randomBytes(70 * MIB + 1);
    for (let at = 0; at < bytes.length; at += 1000) bytes.write("\r\n--", at, "latin1");
    const { status, body } = await upload([title, file(new Blob([bytes])), ["track[genre]", "Noise"]]);
    expect([status, body.genre]).toEqual([201, "Noise"]);
    const { key, size } = await originalOf(body);
    expect(size).toBe(bytes.length);
    expect((await storedBytes(key)).equals(bytes)).toBe(true);
  });

  test.each(["audio/€", "audio/x wav"])("stores parts of a file whose type is %j", async (type) => {
    const head = (name: string, more = "") =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
    const original = `; filename="song.wav"\r\nContent-Type: ${type}; codecs="a b"`;
    const raw = Buffer.concat([
      Buffer.from(`${head("track[title]")}\r\nA song\r\n${head("track[asset_data]", original)}\r\n`),
      randomBytes(17 * MIB),
      Buffer.from("\r\n--b--\r\n"),
    ]);
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    const { status, body } = await api.as(ana).post<Track>("/tracks", { raw, headers });
    expect([status, body.original_content_size]).toEqual([201, 17 * MIB]);
  });

  test("with an Idempotency-Key creates one track for a repeated form", async () => {
    const bob = await createUser();
    const large = new Blob([new Uint8Array(17 * MIB)]);
    for (const content of [words(), large]) {
      const own = { "Idempotency-Key": crypto.randomUUID() };
      const first = await upload([title, file(content)], bob, own);
      const again = await upload([title, file(content)], bob, own);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.body.id).toBe(first.body.id);
      const other = await upload<ErrorReply>([title, file(new Blob([content, "x"]))], bob, own);
      expect(other.status).toBe(422);
    }
    expect(await garbageOf(bob)).toEqual([]);
  });

  test.each<[string, Entry[], number, string]>([
    ["no file", [title], 422, "track[asset_data]"],
    ["no title", [file(words())], 422, "track[title]"],
    ["an empty title", [["track[title]", " "], file(words())], 422, "track[title]"],
    ["no track", [["format", "json"]], 400, "track"],
    ["an empty file (X58)", [title, file(new Blob([]))], 422, "track[asset_data]: the file is empty"],
    ["two files", [title, file(words()), file(words())], 400, "track[asset_data] was sent more than once"],
    ["text for a file", [title, ["track[asset_data]", "words"]], 422, "track[asset_data]"],
    [
      "a file under another name",
      [title, ["asset_data", [words(), "a"]]],
      422,
      "asset_data: no file is expected here, but as track[asset_data] or track[artwork_data]",
    ],
    ["a file for a title", [["track[title]", [words(), "a"]], file(words())], 422, "track[title]: no file"],
    [
      "a field that is wrong, before the file",
      [title, ["track[sharing]", "maybe"], file(words())],
      422,
      "track[sharing]",
    ],
    [
      "a field that is wrong, after the file",
      [title, file(words()), ["track[sharing]", "maybe"]],
      422,
      "track[sharing]",
    ],
    ["NUL in a file name (X28)", [title, file(words(), "a\0.wav")], 422, "track[asset_data]: the file name"],
  ])("with %s is refused and leaves nothing", async (_what, entries, status, cause) => {
    const bob = await createUser();
    const reply = await upload<ErrorReply>(entries, bob);
    expect(reply.status).toBe(status);
    expect(causes(reply)).toContain(cause);
    expect(await garbageOf(bob)).toEqual([]);
    expect(await sql("select from uploads where user_id = $1", [bob.id])).toEqual([]);
  });
});

describe("older clients", () => {
  const send = (path: string, entries: Entry[]) =>
    api.post<Track & ErrorReply>(path, { raw: formOf(entries) });
  const token = (): Entry => ["oauth_token", ana.token];

  test("the JavaScript client sends its token in the query and the form's last field", async () => {
    const { status, headers, body } = await send(`/tracks?oauth_token=${ana.token}`, [
      title,
      file(words()),
      ["format", "json"],
      token(),
    ]);
    expect(status).toBe(201);
    expect(headers.has("Deprecation")).toBe(true);
    expect(body.title).toBe("A song");
  });

  test("the Python client sends its token in the form, before the file", async () => {
    const { status, headers, body } = await send("/tracks", [
      token(),
      title,
      file(words()),
      ["track[genre]", "Noise"],
    ]);
    expect(status).toBe(201);
    expect(headers.has("Deprecation")).toBe(true);
    expect(body.genre).toBe("Noise");
  });

  test("bytes of an unknown sender are not accepted", async () => {
    const reply = await send("/tracks", [title, file(words()), token()]);
    expect(reply.status).toBe(401);
    expect(causes(reply)).toContain("oauth_token must stand before its files");
    const foreign = await send("/tracks", [["oauth_token", "x"], title, file(words())]);
    expect(foreign.status).toBe(401);
    expect(foreign.headers.has("Deprecation")).toBe(true);
  });

  test("a token in the form also changes a track", async () => {
    const { body: track } = await upload([title, file(words())]);
    const reply = await api.put<Track>(`/tracks/${track.id}`, {
      raw: formOf([token(), ["track[title]", "Another"]]),
    });
    expect(reply.status).toBe(200);
    expect(reply.body.title).toBe("Another");
  });
});

test("a file without audio fails with a reason, whatever its name (X64)", async () => {
  const zip = new Blob([Buffer.from("PK\x03\x04"), new Uint8Array(1_000)]);
  const { status, body } = await upload([title, file(zip, "song.mp3")]);
  expect(status).toBe(201);
  const { state, encoding } = await waitForEncode(ana, body.id);
  expect(state).toBe("failed");
  expect(encoding?.reason).toBeTruthy();
});
