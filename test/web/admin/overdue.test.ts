import { beforeAll, expect, test } from "vitest";
import type { listOverdue } from "../../../db/queries/overdue.ts";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { operationCommands } from "../../../workers/admin/operation-commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;
let ana: Person;

beforeAll(async () => {
  ({ browser } = await operatorAt(service));
  ana = await createUser();
});

type Overdue = Awaited<ReturnType<typeof listOverdue>>;

const list = () =>
  operationCommands["overdue list"]?.(stackTarget(stack), readArguments([])) as Promise<Overdue>;

/** Repeats `prepare`, because a cron of another file may have done the work meanwhile. */
const untilListed = (prepare: () => Promise<unknown>) =>
  expect.poll(async () => {
    await prepare();
    const [{ html, queries }, command] = [await browser.get("web", "/admin/overdue"), await list()];
    const isOwn = ({ user_id }: { user_id: number }) => user_id === ana.id;
    return {
      isShown: html.includes(`/admin/users/${ana.id}`),
      queries,
      publications: command.publications.filter(isOwn),
      imports: command.imports.filter(isOwn),
    };
  });

test("a publication whose time has come is listed with its owner", async () => {
  const { id } = await createPlayableTrack(ana, { permalink: "late-song" });
  const late = "update tracks set sharing = 'private', publish_at = '2020-01-02T03:04:05Z' where id = $1";
  const publish_at = expect.stringContaining("2020-01-02T03:04:05");
  const publications = [{ user_id: ana.id, tracks: 1, sets: 0, publish_at }];
  await untilListed(() => sql(late, [id])).toMatchObject({ isShown: true, queries: 1, publications });
});

test("a podcast of which nothing is fetched is listed, and one that rests is not", async () => {
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(
    `insert into podcast_imports (user_id, feed_url, state, title, show)
     values ($1, 'https://feeds.example/late', 'running', 'A late show', '{}') returning id::float8`,
    [ana.id],
  );
  await sql(
    `insert into podcast_import_episodes (import_id, position, guid, title, item) values ($1, 1, 'a', 'A', '{}')`,
    [id],
  );
  const due = (at: string) => () =>
    sql(
      `with due as (update podcast_imports set state = 'running', next_run_at = ${at} where id = $1)
       update podcast_import_episodes set state = 'waiting', next_run_at = now() - interval '1 day', lease_until = null
       where import_id = $1`,
      [id],
    );
  const imports = [{ id, title: "A late show", user_id: ana.id, episodes_left: 1 }];
  await untilListed(due("now() - interval '1 hour'")).toMatchObject({ isShown: true, imports });
  await untilListed(due("now() + interval '1 day'")).toMatchObject({ imports: [] });
  await sql("delete from podcast_imports where id = $1", [id]);
});

test("only operators read the page", async () => {
  expect((await service.open().get("web", "/admin/overdue")).status).not.toBe(200);
});
