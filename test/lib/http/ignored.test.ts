import { beforeAll, expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

let ana: Person;
let track: string;

beforeAll(async () => {
  ana = await createUser();
  track = `/tracks/${(await createPlayableTrack(ana)).id}`;
});

async function ask(path: string, init: RequestInit = {}, prefer?: string) {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `OAuth ${ana.token}`);
  if (prefer) headers.set("Prefer", prefer);
  const reply = await fetch(stack.urls.api + path, { ...init, headers });
  const body = (await reply.json()) as { title?: string; errors?: { field?: string }[] };
  return {
    status: reply.status,
    ignored: reply.headers.get("Soundpost-Ignored"),
    fields: body.errors?.map(({ field }) => field),
    body,
  };
}

const json = (method: string, body: object): RequestInit => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
const form = (fields: Record<string, string>): RequestInit => ({
  method: "PUT",
  body: new URLSearchParams(fields),
});

test("a reply names misspelt and read-only fields of a body, and the rest is done", async () => {
  const sent = {
    track: { title: "Named", tittle: "x", permalink_url: "y", artists: [{ name: "Ben", roll: "z" }] },
  };
  const { status, ignored, body } = await ask(track, json("PUT", sent));
  expect([status, ignored]).toEqual([200, "track[tittle], track[permalink_url], track[artists][][roll]"]);
  expect(body.title).toBe("Named");
  expect((await ask(track, form({ "track[titel]": "x", "track[genre]": "Dub" }))).ignored).toBe(
    "track[titel]",
  );
});

test("a refusal names them, too: the missing field may be the misspelt one", async () => {
  const { status, ignored } = await ask(`${track}/comments`, json("POST", { comment: { boddy: "x" } }));
  expect([status, ignored]).toEqual([422, "comment[boddy]"]);
});

test("a reply names unknown parameters, but none that every resource takes", async () => {
  expect((await ask("/tracks?query=x&limit=1&limmit=2")).ignored).toBe("query, limmit");
  expect((await ask("/me?anything=1")).ignored).toBe("anything");
  const older = "oauth_token=x&access_token=x&client_id=x&consumer_key=x";
  for (const path of ["/tracks?q=x&format=json&_=1", `/tracks?${older}`, "/me", `${track}?secret_token=x`])
    expect([path, (await ask(path)).ignored]).toEqual([path, null]);
});

test("names that no header may hold are escaped, and there is an end to them", async () => {
  expect((await ask(`/me?${encodeURIComponent("\r\nx: é")}=1`)).ignored).toBe("%0D%0Ax%3A%20%C3%A9");
  expect((await ask(`/me?${encodeURIComponent("長い名前".repeat(20))}=1`)).ignored).toHaveLength(64);
  const many = new URLSearchParams(Array.from({ length: 50 }, (_, index) => [`p${index}`, "1"]));
  expect((await ask(`/me?${many}`)).ignored?.split(", ")).toHaveLength(20);
  const broken = { track: JSON.parse(`{"\\ud800": 1, "title": "Named"}`) as object };
  expect((await ask(track, json("PUT", broken))).ignored).toBe(
    "track[%EF%BF%BD]".replaceAll(/[[\]]/g, (sign) => encodeURIComponent(sign)),
  );
});

test.each(["handling=strict", "respond-async, handling=strict", 'handling="strict"; x=1'])(
  "422: with %s what nobody reads is refused, and nothing is done",
  async (prefer) => {
    const { status, fields } = await ask(
      track,
      json("PUT", { track: { title: "Strict", tittle: "x" } }),
      prefer,
    );
    expect([status, fields]).toEqual([422, ["track[tittle]"]]);
    expect((await ask(track)).body.title).toBe("Named");
    const listed = await ask("/tracks?query=x", {}, prefer);
    expect([listed.status, listed.fields]).toEqual([422, ["query"]]);
    expect((await ask("/tracks?q=x", {}, prefer)).status).toBe(200);
  },
);

test("422: a strict refusal repeats no more than the beginning of a long name", async () => {
  const sent = json("PUT", { ["x".repeat(500_000)]: 1, track: { title: "Named" } });
  const { status, body } = await ask(track, sent, "handling=strict");
  expect([status, JSON.stringify(body).length]).toEqual([422, expect.toSatisfy((size) => size < 2_000)]);
});

test.each(["handling=lenient", "handling=strictly", "mishandling=strict"])(
  "with another preference it is only told: %s",
  async (prefer) => {
    const { status, ignored } = await ask("/tracks?query=x", {}, prefer);
    expect([status, ignored]).toEqual([200, "query"]);
  },
);

test("a reply names what is wrong in the query beside what is in the body", async () => {
  const { ignored } = await ask(`${track}?titel=x`, json("PUT", { track: { tittle: "x" } }));
  expect(ignored).toBe("titel, track[tittle]");
});
