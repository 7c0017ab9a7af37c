import { beforeAll, expect, test } from "vitest";
import { TrackFilters } from "../../../functions/api/tracks/filters.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { listed, refusal, uniqueWord } from "./lists.support.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

/** Creates a track of `owner` and returns its id. */
const track = async (columns: Record<string, unknown> = {}) => (await createPlayableTrack(owner, columns)).id;

/** Limited to `owner`, so that other tests' tracks do not matter. */
const found = (parameters: Record<string, unknown>) =>
  listed(other, { q: owner.username, sort: "desc", ...parameters });

const refused: [string, string][] = [
  ...["abc", "NaN", "Infinity", "1e3", "1e308", " 5", "٣", "1,5", "0x10", "1.", "9".repeat(400)].flatMap(
    (value): [string, string][] => [
      ["bpm[from]", value],
      ["duration[to]", value],
    ],
  ),
  ...[
    "2024-02-30 00:00:00",
    "2023-02-29 00:00:00",
    "2024-13-01 00:00:00",
    "2024-01-01 24:00:00",
    "2024-01-01 00:60:00",
    "2024-01-01 00:00:60",
    "2024-01-01",
    "2024-01-01T00:00:00",
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:00:00+24:00",
    "2024/01/01 00:00:00",
    "2024/01/01 00:00:00 UTC",
    "2024/02/30 00:00:00 +0000",
    "300000-01-01 00:00:00",
    "1969-12-31 23:59:59",
    "0000-00-00 00:00:00",
    "infinity",
    "now",
    "yesterday",
    "epoch",
    "2024-01-01 00:00:00 Europe/Berlin",
  ].map((value): [string, string] => ["created_at[from]", value]),
  ["license", "mit"],
  ["license", "cc-by,"],
  ["types", "song"],
  ["types", "in  progress"],
  ["access", "none"],
  ["access", "Playable"],
  ["filter", "mine"],
  ["filter", "public,private"],
  ["sort", "title"],
  ["offset", "-1"],
  ["offset", "10001"],
  ["offset", "abc"],
  ["q", "x".repeat(201)],
  ["q", "a\0b"],
  ["genres", "a\0b"],
  ["tags", "x".repeat(5000)],
  ...[
    "abc",
    "1,,2",
    "0",
    "-1",
    "1e3",
    "0x10",
    "1.0",
    "+1",
    "٣",
    "9007199254740992",
    "9".repeat(400),
    "'",
  ].map((value): [string, string] => ["ids", value]),
  ["urns", "soundcloud:users:1"],
];

test.for(refused)("%j is refused by name (X38–X41)", async ([name, value]) => {
  const [status, message] = await refusal(other, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  expect([status, message.startsWith(`${name}: `)]).toEqual([422, true]);
});

test("a repeated parameter is refused, an unknown one ignored, an empty search dropped", async () => {
  expect(await refusal(other, "genres=a&genres=b")).toEqual([400, "genres was sent more than once"]);
  const id = await track();
  expect(await found({ colour: "blue", "bpm[about]": "x" })).toContain(id);
  expect(await listed(other, { q: " ", genres: "", tags: ",", ids: id })).toEqual([id]);
});

test("an empty filter counts as missing, an empty cursor or limit does not", async () => {
  const id = await track();
  const empty = Object.fromEntries(Object.keys(TrackFilters.shape).map((name) => [name, ""]));
  expect(await listed(other, { ...empty, q: owner.username, sort: "desc" })).toContain(id);
  for (const path of ["/users", "/playlists", `/users/${owner.id}/comments`, "/uploads"])
    expect((await api.as(other).get(`${path}?q=&ids=&status=&access=&linked_partitioning=`)).status).toBe(
      200,
    );
  for (const [name, status] of [
    ["limit", 422],
    ["offset", 422],
    ["cursor", 400],
  ] as const)
    expect((await api.as(other).get(`/tracks?${name}=`)).status).toBe(status);
});

test("422: a list where one value is expected", async () => {
  for (const [query, name] of [
    ["q[]=a", "q"],
    ["q=a&ids%5B0%5D=1", "ids"],
    ["bpm[from][]=1", "bpm[from]"],
    ["limit[]=1", "limit"],
  ] as const) {
    const text = `${name}: must be one value; commas separate the entries of a list`;
    expect(await refusal(other, query)).toEqual([422, text]);
  }
});

test("SQL and query syntax count as text (X24)", async () => {
  const quoted = `${uniqueWord()}'; drop table tracks; --`;
  const id = await track({ genre: quoted, tag_list: `"a\\b' | c" $1` });
  expect(await listed(other, { genres: quoted })).toEqual([id]);
  for (const text of [
    "'",
    '"',
    "\\",
    "--",
    ";",
    "' or 1=1 --",
    "%27",
    ") union select 1",
    "{}",
    "a:*",
    "!",
  ]) {
    for (const name of ["genres", "tags"]) expect(await listed(other, { [name]: text })).not.toContain(id);
  }
  expect(await found({ tags: "a\\b' | c" })).toEqual([id]);
  expect(await found({ tags: "$1" })).toEqual([id]);
});
