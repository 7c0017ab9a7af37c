import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createReadyUpload, words } from "../../support/tracks.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
});

const XML = { "Content-Type": "application/xml" };

const send = <Body = ErrorReply>(path: string, raw: string, headers: Record<string, string> = XML) =>
  api.as(ana).post<Body>(path, { raw, headers });

test("a track is created from XML, with underscores or hyphens, and returned as XML", async () => {
  for (const hyphen of ["-", "_"]) {
    const upload = await createReadyUpload(ana, words());
    const xml = `<?xml version="1.0"?><track><title>A &amp; &lt;b&gt; 😀</title><upload${hyphen}id type="integer">${upload.id}</upload${hyphen}id>
      <tag${hyphen}list>a "b c"</tag${hyphen}list><downloadable>true</downloadable><genre nil="true"/></track>`;
    const made = await send<Track>("/tracks.xml", xml);
    expect([made.status, made.headers.get("Content-Type")]).toEqual([201, "application/xml; charset=utf-8"]);
    expect(made.body).toMatchObject({
      title: "A & <b> 😀",
      tag_list: 'a "b c"',
      downloadable: true,
      genre: null,
    });
    expect(made.headers.get("Location")).toBe(made.body.uri);
  }
});

test("XML accepts any root where JSON has no wrapper", async () => {
  const xml = "<upload><filename>a.wav</filename><size>10</size><type>audio/wav</type></upload>";
  const { status, body } = await send<Upload>("/uploads", xml, { "Content-Type": "text/xml; charset=utf-8" });
  expect([status, body.size, body.filename]).toEqual([201, 10, "a.wav"]);
  const app =
    "<app><name>A</name><redirect-uris><redirect-uri>http://127.0.0.1/a</redirect-uri></redirect-uris></app>";
  expect(await send("/me/apps", app)).toMatchObject({
    status: 201,
    body: { redirect_uris: ["http://127.0.0.1/a"] },
  });
});

test("the same rules hold: 422 with the field for invalid values, 400 for malformed XML", async () => {
  const wrong =
    "<track><title><b>x</b></title><upload-id>x</upload-id><streamable>perhaps</streamable></track>";
  const { status, body } = await send("/tracks", wrong);
  expect(status).toBe(422);
  const fieldNames = body.errors.map(({ error_message }) => error_message.split(":")[0]);
  expect(fieldNames).toEqual(["track[upload_id]", "track[title]", "track[streamable]"]);
  expect((await send("/tracks", "<album/>")).status).toBe(400);
  for (const text of ["", "{}", "<track>", "<track/><track/>", "<track>\0</track>", "<track>&x;</track>"])
    expect([text, (await send("/tracks", text)).status]).toEqual([text, 400]);
  expect((await send("/tracks", `<track>${"x".repeat(1_100_000)}</track>`)).status).toBe(413);
});

test.for([
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><track><title>&b;</title></track>',
  '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x.dtd"><track/>',
  '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><track><title>&c;</title></track>',
  "<!DOCTYPE track><track/>",
])("%s is 400 (X50)", async (xml) => {
  const { status, body } = await send("/tracks", xml);
  expect([status, body.errors[0]?.error_message]).toEqual([400, expect.stringContaining("document type")]);
});
