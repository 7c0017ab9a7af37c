import { Hono } from "hono";
import { beforeAll, expect, test } from "vitest";
import type { AppEnv } from "../../../functions/http/env.ts";
import type { PlayedBy } from "../../../functions/media/listener.ts";
import { reportPlay } from "../../../functions/media/play-report.ts";
import type { MediaGrant } from "../../../functions/media/token.ts";
import { createUser, type Person } from "../../support/people.ts";
import { deliver, runCron, sql, stack, workerLog } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { by, letPass, markOf, played, playsOf, rolledUp } from "./plays.support.ts";

let owner: Person;
let fan: Person;

beforeAll(async () => {
  [owner, fan] = await Promise.all([createUser(), createUser()]);
});

const visitor = (address: string): PlayedBy => ({ userId: null, app: "", address });

const bodies = (...plays: unknown[]) => plays.map((body) => ({ body }));

test("repeated messages, together, apart or concurrent, count once", async () => {
  const { id } = await createPlayableTrack(owner);
  const [one, other] = [played(id, by(fan)), played(id, visitor("a"))];
  expect(await deliver("plays", bodies(one, one, other))).toMatchObject({ outcome: "ok", ackAll: true });
  await deliver("plays", bodies(other, one));
  await Promise.all(Array.from({ length: 10 }, () => deliver("plays", bodies(one, other))));
  expect(await playsOf(owner, id)).toBe(2);
  const reversed = Array.from({ length: 40 }, (_, n) => played(id, visitor(`10.0.0.${n}`)));
  const batches = Array.from({ length: 10 }, (_, n) => (n % 2 ? reversed : reversed.toReversed()));
  for (const { ackAll } of await Promise.all(batches.map((plays) => deliver("plays", bodies(...plays)))))
    expect(ackAll).toBe(true);
  expect(await playsOf(owner, id)).toBe(42);
  await rolledUp(id);
  expect(await playsOf(owner, id)).toBe(42);
});

test("a play that the queue refuses is still counted once", async () => {
  const { id } = await createPlayableTrack(owner);
  const pending: Promise<unknown>[] = [];
  const bindings = {
    ...stack.secrets,
    ...{ DATABASE_URL: stack.appDatabaseUrl, DATABASE_PROXY_URL: stack.proxyUrl },
    PLAYS: { send: () => Promise.reject(new Error("Too many messages")) },
  };
  const grant = { trackId: id, listenerId: fan.id } as MediaGrant;
  const streaming = new Hono<AppEnv>().get("/", (c) => {
    reportPlay(c, grant, new Response("audio"));
    return c.body(null);
  });
  const reached = { waitUntil: (work: Promise<unknown>) => void pending.push(work) };
  await streaming.request("/", {}, bindings, reached as never);
  await Promise.all(pending);
  expect(await playsOf(owner, id)).toBe(1);
  await deliver("plays", bodies(played(id, by(fan))));
  expect(await playsOf(owner, id)).toBe(1);
});

test("the time of the play counts, not that of the message", async () => {
  const { id } = await createPlayableTrack(owner);
  const who = visitor("late");
  await deliver(
    "plays",
    bodies(played(id, who, 90), played(id, who, 45), played(id, who, 61), played(id, who, 20)),
  );
  expect(await playsOf(owner, id)).toBe(2);
  await deliver("plays", bodies(played(id, who, 14)));
  expect(await playsOf(owner, id)).toBe(3);
  await deliver("plays", bodies(played(id, who, 90), played(id, who, 0), played(id, who, 43)));
  expect(await playsOf(owner, id)).toBe(3);
});

test("a fast clock gives nobody an additional window", async () => {
  const { id } = await createPlayableTrack(owner);
  await deliver("plays", bodies(played(id, by(fan), -600), played(id, by(fan), -1_200), played(id, by(fan))));
  expect(await playsOf(owner, id)).toBe(1);
});

test("messages hours late count nothing, because their marks may be gone", async () => {
  const { id } = await createPlayableTrack(owner);
  await deliver("plays", bodies(played(id, visitor("x"), 361), played(id, visitor("y"), 359)));
  expect(await playsOf(owner, id)).toBe(1);
  for (const [minutes, left] of [
    [29, 1],
    [4, 0],
  ] as const) {
    await letPass(minutes, id, visitor("y"));
    await runCron("*/5 * * * *");
    const marks = await sql("select 1 from play_marks where mark = $1", [markOf(id, visitor("y"))]);
    expect([minutes, marks.length]).toEqual([minutes, left]);
  }
});

test("deleted tracks and users, and malformed messages, delay nothing", async () => {
  const { id } = await createPlayableTrack(owner);
  const gone = await createPlayableTrack(owner);
  await sql("delete from tracks where id = $1", [gone.id]);
  const malformed = [
    null,
    "play",
    {},
    { ...played(id, by(fan)), mark: "?" },
    { ...played(id, by(fan)), at: "1" },
  ];
  const outcome = await deliver(
    "plays",
    bodies(played(gone.id, by(fan)), played(id, by({ id: 1 })), ...malformed, played(id, by(fan))),
  );
  expect(outcome).toMatchObject({ outcome: "ok", ackAll: true });
  expect(await playsOf(owner, id)).toBe(2);
  await expect
    .poll(() =>
      workerLog().some(({ event, messages }) => event === "play_messages_malformed" && messages === 5),
    )
    .toBe(true);
});
