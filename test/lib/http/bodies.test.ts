import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { FORM_TYPE, JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createReadyUpload, createTrack, type StoredTrack, words } from "../../support/tracks.ts";

let ana: Person;
let track: StoredTrack;

const send = (path: string, raw: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  api.as(ana).post<ErrorReply>(path, { raw, headers });

beforeAll(async () => {
  ana = await createUser();
  track = await createTrack(ana);
});

describe("bodies", () => {
  test.for<[string, BodyInit, number]>([
    ["nothing (X32)", "", 400],
    ["an open brace (X32)", "{", 400],
    ["null (X32)", "null", 400],
    ["a list (X32)", "[]", 400],
    ["text (X32)", '"x"', 400],
    ["a number (X32)", "1", 400],
    ["NaN (X32)", '{"filename":"a.wav","size":NaN,"type":"audio/wav"}', 400],
    ["1e999 (X32)", '{"filename":"a.wav","size":1e999,"type":"audio/wav"}', 422],
    ["a size of 2^63 (X32)", '{"filename":"a.wav","size":9223372036854775807,"type":"audio/wav"}', 422],
    ["a negative size", '{"filename":"a.wav","size":-1,"type":"audio/wav"}', 422],
    ["half a byte", '{"filename":"a.wav","size":0.5,"type":"audio/wav"}', 422],
    ["a size in words", '{"filename":"a.wav","size":"10","type":"audio/wav"}', 422],
    ["200,000 brackets (X32)", "[".repeat(200_000), 400],
    ["21 levels (X32)", `${'{"a":'.repeat(21)}1${"}".repeat(21)}`, 400],
    ["NUL (X28)", '{"filename":"a\\u0000.wav","size":10,"type":"audio/wav"}', 422],
    ["half a character (X29)", '{"filename":"\\ud800.wav","size":10,"type":"audio/wav"}', 422],
    [
      "line ends in a file name's media type (X51)",
      '{"filename":"a","size":10,"type":"audio/wav\\r\\nX: y"}',
      415,
    ],
    ["bytes that are not UTF-8 (X30)", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
    ["an overlong slash (X30)", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 400],
    ["UTF-16 (X30)", Buffer.from('{"filename":"a"}', "utf16le"), 400],
    ["a list for the name (X33)", '{"filename":["a"],"size":10,"type":"audio/wav"}', 422],
    [
      "a name of 900 kB (X27, X81)",
      JSON.stringify({ filename: "x".repeat(900_000), size: 1, type: "audio/wav" }),
      422,
    ],
  ])("%s", async ([, raw, status]) => {
    const reply = await send("/uploads", raw);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ code: status, error: null });
  });

  test("400: no body at all, with what is missing", async () => {
    for (const [path, field] of [
      ["/uploads", "filename"],
      ["/tracks", "track"],
      [`/tracks/${track.id}/comments`, "comment"],
      ["/playlists", "playlist"],
      ["/me/connections", "service"],
    ]) {
      const { status, body } = await api.as(ana).post<ErrorReply>(path ?? "");
      expect([path, status, body.errors[0]?.error_message]).toEqual([path, 400, `${field}: is missing`]);
    }
  });

  test("415: another or missing media type, or a compressed body (X34, X35)", async () => {
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
    ["an escape that is not UTF-8 (X30)", "track[title]=%ff&track[upload_id]=1", 400],
    ["a repeated field", "track[title]=a&track[title]=b", 400],
    ["a value and an object", "track=x&track[title]=y", 400],
    ["no wrapper", "title=x&upload_id=1", 400],
    ["NUL (X28)", "track[title]=a%00b&track[upload_id]=1", 422],
    ["10,000 fields (X81)", Array.from({ length: 6_000 }, (_, n) => `f${n}=`).join("&"), 400],
  ])("a form with %s", async ([, form, status]) => {
    expect((await send("/tracks", form, FORM_TYPE)).status).toBe(status);
  });

  test("a comment or a query that is not UTF-8 is refused, not repaired (X30)", async () => {
    const path = `/tracks/${track.id}/comments`;
    const latin = { "Content-Type": "application/x-www-form-urlencoded; charset=iso-8859-1" };
    for (const headers of [FORM_TYPE, latin])
      expect((await send(path, "comment[body]=h%e9llo", headers)).status).toBe(400);
    expect((await send(path, "comment[body]=h%c3%a9llo", latin)).status).toBe(201);
    for (const [query, status] of [
      ["q=%ff", 400],
      ["q=%c3%28", 400],
      ["q=a?b%ff", 400],
      ["q=100%", 200],
      ["q=%c3%a9", 200],
      [`limit=${"9".repeat(400)}`, 200],
    ] as const)
      expect([query, (await api.as(ana).get(`/tracks?${query}`)).status]).toEqual([query, status]);
  });

  test("a refusal reaches a client that is still sending", async () => {
    const big = `track[title]=${"x".repeat(1_100_000)}`;
    for (let n = 0; n < 10; n++) {
      expect((await send("/tracks", big.slice(0, 70_000), FORM_TYPE)).status).toBe(413);
      expect((await send("/tracks", big, JSON_TYPE)).status).toBe(413);
      const { status, body } = await send("/tracks", big, { "Content-Type": "text/plain" });
      expect([status, body.errors[0]?.error_message]).toEqual([
        415,
        expect.stringContaining("multipart/form-data"),
      ]);
      expect((await api.post("/tracks", { raw: big, headers: JSON_TYPE })).status).toBe(401);
    }
  });

  test("no input can reach a prototype (X21)", async () => {
    const upload = await createReadyUpload(ana, words());
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

  test("quotes and operators are plain text (X24)", async () => {
    const title = `'); DROP TABLE tracks; -- " \\ $1 %27 {x} \${y} <script>`;
    const upload = await createReadyUpload(ana, words(), `${title}.wav`);
    expect(upload.filename).toBe(`${title}.wav`);
    // Tag lists close an open quote.
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
