import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { api, type ErrorReply } from "../support/api.ts";
import { type Person, someone } from "../support/people.ts";
import { aReadyUpload, aStoredTrack, type StoredTrack, words } from "../support/tracks.ts";
import { FORM_TYPE, JSON_TYPE } from "./asking.ts";

let ana: Person;
let track: StoredTrack;

const send = (path: string, raw: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  api.as(ana).post<ErrorReply>(path, { raw, headers });

beforeAll(async () => {
  ana = await someone();
  track = await aStoredTrack(ana);
});

describe("bodies", () => {
  test.for<[string, BodyInit, number]>([
    ["X32: nothing", "", 400],
    ["X32: an open brace", "{", 400],
    ["X32: null", "null", 400],
    ["X32: a list", "[]", 400],
    ["X32: text", '"x"', 400],
    ["X32: a number", "1", 400],
    ["X32: NaN", '{"filename":"a.wav","size":NaN,"type":"audio/wav"}', 400],
    ["X32: 1e999", '{"filename":"a.wav","size":1e999,"type":"audio/wav"}', 422],
    ["X32: a size of 2^63", '{"filename":"a.wav","size":9223372036854775807,"type":"audio/wav"}', 422],
    ["a negative size", '{"filename":"a.wav","size":-1,"type":"audio/wav"}', 422],
    ["half a byte", '{"filename":"a.wav","size":0.5,"type":"audio/wav"}', 422],
    ["a size in words", '{"filename":"a.wav","size":"10","type":"audio/wav"}', 422],
    ["X32: 200,000 brackets", "[".repeat(200_000), 400],
    ["X32: 21 levels", `${'{"a":'.repeat(21)}1${"}".repeat(21)}`, 400],
    ["X28: NUL", '{"filename":"a\\u0000.wav","size":10,"type":"audio/wav"}', 422],
    ["X29: half a character", '{"filename":"\\ud800.wav","size":10,"type":"audio/wav"}', 422],
    [
      "X51: line ends in a file name's media type",
      '{"filename":"a","size":10,"type":"audio/wav\\r\\nX: y"}',
      415,
    ],
    ["X30: bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
    ["X30: an overlong slash", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 400],
    ["X30: UTF-16", Buffer.from('{"filename":"a"}', "utf16le"), 400],
    ["X33: a list for the name", '{"filename":["a"],"size":10,"type":"audio/wav"}', 422],
    [
      "X27, X81: a name of 900 kB",
      JSON.stringify({ filename: "x".repeat(900_000), size: 1, type: "audio/wav" }),
      422,
    ],
  ])("%s", async ([, raw, status]) => {
    const reply = await send("/uploads", raw);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ code: status, error: null });
  });

  test("X34, X35: another media type, none, or a compressed body is 415", async () => {
    const whole = JSON.stringify({ filename: "a.wav", size: 10, type: "audio/wav" });
    for (const type of [
      "text/plain",
      "application/jsonx",
      "multipart/form-data",
      "text/plain+xml",
      "application/x-www-form-urlencoded",
    ])
      expect((await send("/uploads", whole, { "Content-Type": type })).status).toBe(415);
    expect((await send("/uploads", Buffer.from(whole), {})).status).toBe(415);
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    for (const encoding of ["gzip", "br", "deflate", "x"])
      expect((await send("/uploads", bomb, { ...JSON_TYPE, "Content-Encoding": encoding })).status).toBe(415);
    for (const type of [
      "Application/JSON",
      "application/json ; charset=utf-8",
      "application/json;charset=nonsense",
    ])
      expect((await send("/uploads", "{}", { "Content-Type": type })).status).toBe(400);
  });

  test.for<[string, string, number]>([
    ["a malformed escape", "track[title]=%zz", 400],
    ["X30: an escape that is not UTF-8", "track[title]=%ff&track[upload_id]=1", 422],
    ["a repeated field", "track[title]=a&track[title]=b", 400],
    ["a value and an object", "track=x&track[title]=y", 400],
    ["no wrapper", "title=x&upload_id=1", 400],
    ["X28: NUL", "track[title]=a%00b&track[upload_id]=1", 422],
    ["X81: 10,000 fields", Array.from({ length: 6_000 }, (_, n) => `f${n}=`).join("&"), 400],
  ])("a form with %s", async ([, form, status]) => {
    expect((await send("/tracks", form, FORM_TYPE)).status).toBe(status);
  });

  test("a refusal reaches a client that is still sending", async () => {
    const big = `track[title]=${"x".repeat(1_100_000)}`;
    for (let n = 0; n < 10; n++) {
      expect((await send("/tracks", big.slice(0, 70_000), FORM_TYPE)).status).toBe(413);
      expect((await send("/tracks", big, JSON_TYPE)).status).toBe(413);
      expect((await send("/tracks", big, { "Content-Type": "text/plain" })).status).toBe(415);
      expect((await api.post("/tracks", { raw: big, headers: JSON_TYPE })).status).toBe(401);
    }
  });

  test("X21: nothing that is sent becomes a prototype", async () => {
    const upload = await aReadyUpload(ana, words());
    const polluted =
      '"__proto__":{"polluted":1,"sharing":"private"},"constructor":{"prototype":{"polluted":1}}';
    const made = await send(
      "/tracks",
      `{${polluted},"track":{${polluted},"title":"Clean","upload_id":${upload.id}}}`,
    );
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ title: "Clean", sharing: "public" }),
    ]);
    for (const name of [
      "__proto__[polluted]",
      "constructor[prototype]",
      "track[__proto__]",
      "__proto__.polluted",
      "track[constructor]",
    ])
      expect((await send("/tracks", `${encodeURIComponent(name)}=1&${name}=`, FORM_TYPE)).status).toBe(400);
    const later = await api
      .as(ana)
      .get<Record<string, unknown>>(`/tracks/${track.id}?__proto__[polluted]=1&__proto__=1`);
    expect([later.status, later.body.polluted, later.body.sharing]).toEqual([200, undefined, "public"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("X24: quotes and operators are only text", async () => {
    const title = `'); DROP TABLE tracks; -- " \\ $1 %27 {x} \${y} <script>`;
    const upload = await aReadyUpload(ana, words(), `${title}.wav`);
    expect(upload.filename).toBe(`${title}.wav`);
    // A quote that nothing closes would be closed.
    const tag_list = title.replace('" ', "");
    const json = { track: { title, upload_id: upload.id, genre: title, tag_list, artist: title } };
    const { body } = await api.as(ana).post("/tracks", { json });
    expect(body).toMatchObject({ title, genre: title, tag_list, metadata_artist: title });
    for (const hostile of ["'", "\\", "1;select", "1'--", "$1"]) {
      const path = encodeURIComponent(hostile);
      expect((await api.as(ana).get(`/uploads?status=${path}`)).status).toBe(422);
      expect((await api.as(ana).get(`/tracks/${track.id}?secret_token=${path}`)).status).toBe(200);
      expect((await api.as(ana).get(`/me/tracks?cursor=${path}`)).status).toBe(400);
    }
  });
});
