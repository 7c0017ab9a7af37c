import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createComment, pathOf } from "../comments/comments.support.ts";
import { ALL, happenedTo, leave, OWN, taggedFor } from "./activities.support.ts";

let owner: Person;

beforeAll(async () => {
  owner = await createUser();
});

/** A user with a comment at one second of a track. */
async function createSpeaker(fields: object = { timestamp: 1_000 }) {
  const track = await createPlayableTrack(owner);
  const speaker = await createUser();
  await createComment(speaker, track, fields);
  return { track, speaker, other: await createUser() };
}

describe("a comment after one's own", () => {
  test("joins the conversation at the same time of the track", async () => {
    const { track, speaker, other } = await createSpeaker();
    await createComment(other, track, { timestamp: 1_001 });
    await createComment(other, track);
    const answer = await createComment(other, track, { timestamp: 1_000 });
    expect(await taggedFor(speaker)).toEqual([[`comment ${answer.id}`, "conversation"]]);
    expect(await happenedTo(speaker, OWN)).toEqual([]);
    expect(await taggedFor(owner, `${OWN}?limit=1`)).toEqual([[`comment ${answer.id}`, "own"]]);
  });

  test("without a time answers no other without a time", async () => {
    const { track, speaker, other } = await createSpeaker({});
    await createComment(other, track);
    expect(await happenedTo(speaker)).toEqual([]);
  });

  test("joins the conversation if it begins with the name", async () => {
    const { track, speaker, other } = await createSpeaker();
    const { username } = speaker;
    const answers: string[] = [];
    for (const body of [
      `@${username} yes`,
      `<p>@${username.toUpperCase()}: yes</p>`,
      `@${username}`,
      `  <b>@${username}</b>, no`,
    ])
      answers.unshift(`comment ${(await createComment(other, track, { body })).id}`);
    for (const body of [
      `@${username}s`,
      `@${username}_s`,
      `Yes @${username}`,
      username,
      `@${username.slice(0, -1)} no`,
      "@",
    ])
      await createComment(other, track, { body });
    expect(await happenedTo(speaker)).toEqual(answers);
  });

  test("matches names literally, not as patterns or markup", async () => {
    const { track, speaker, other } = await createSpeaker();
    const name = `A. <B> & (c%_ ${speaker.username}`;
    await sql("update users set username = $2 where id = $1", [speaker.id, name]);
    const said = await createComment(other, track, {
      body: `@a. &lt;b&gt; &amp; (C%_ ${speaker.username}! Yes`,
    });
    await createComment(other, track, { body: `@aX &lt;b&gt; &amp; (c%_ ${speaker.username}` });
    expect(await happenedTo(speaker)).toEqual([`comment ${said.id}`]);
  });

  test("by the track's owner is reported to the other commenter, and theirs to the owner once", async () => {
    const { track, speaker } = await createSpeaker();
    const fromOwner = await createComment(owner, track, { timestamp: 1_000 });
    const back = await createComment(speaker, track, { timestamp: 1_000 });
    expect(await taggedFor(speaker)).toEqual([[`comment ${fromOwner.id}`, "conversation"]]);
    expect((await taggedFor(owner, `${ALL}?limit=2`))[0]).toEqual([
      `comment ${back.id}`,
      "own, conversation",
    ]);
    expect((await happenedTo(owner)).filter((name) => name === `comment ${back.id}`)).toHaveLength(1);
  });

  test("is reported to earlier commenters only, and disappears when deleted", async () => {
    const { track, speaker, other } = await createSpeaker();
    const answer = await createComment(other, track, { timestamp: 1_000 });
    expect(await happenedTo(other)).toEqual([]);
    expect(await happenedTo(speaker)).toEqual([`comment ${answer.id}`]);
    await api.as(owner).delete(pathOf(answer));
    expect(await happenedTo(speaker)).toEqual([]);
    expect(await sql("select 1 from activities where comment_id = $1", [answer.id])).toEqual([]);
  });

  test("by a user who left is no longer reported", async () => {
    const { track, speaker, other } = await createSpeaker();
    await createComment(other, track, { timestamp: 1_000 });
    await leave(other);
    expect(await happenedTo(speaker)).toEqual([]);
  });
});

test("a comment is reported to the last hundred it answers, searching back at most a thousand", async () => {
  const track = await createPlayableTrack(owner);
  const people = await sql<{ id: number }>(
    `with many as (insert into users (username, permalink)
       select 'many', 'many-' || gen_random_uuid() || '-' || n from generate_series(1, 1200) n returning id
     ), said as (
       insert into comments (id, track_id, user_id, body, sanitizer_version, timestamp_ms)
       select m.id, $1, m.id, 'x', 1, CASE WHEN row_number() OVER (ORDER BY m.id) % 2 = 0 THEN 7 ELSE 8 END from many m)
     select id::float8 as id from many order by id desc`,
    [track.id],
  );
  const reportsOf = async (id: number) =>
    (
      await sql<{ id: number }>(
        "select user_id::float8 as id from activities where comment_id = $1 and about = 'conversation' order by user_id desc",
        [id],
      )
    ).map((row) => row.id);
  const answer = await createComment(await createUser(), track, { timestamp: 7 });
  expect(await reportsOf(answer.id)).toEqual(
    people
      .filter((_, at) => at % 2 === 0)
      .slice(0, 100)
      .map(({ id }) => id),
  );
  const named = await createComment(await createUser(), track, { body: "@many hello" });
  expect(await reportsOf(named.id)).toHaveLength(100);
  await sql("update comments set timestamp_ms = 9 where track_id = $1 and user_id = $2", [
    track.id,
    people.at(-1)?.id,
  ]);
  const late = await createComment(await createUser(), track, { timestamp: 9 });
  expect(await reportsOf(late.id)).toEqual([]);
});
