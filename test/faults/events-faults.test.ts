import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { Listener, type Message } from "../api/webhooks/event-listener.ts";
import { locked, someoneWaits } from "../auth/oauth/table-lock.ts";
import { createTrack } from "../lib/http/requests.support.ts";
import { shortWav } from "../support/tracks.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;
let { auth } = {} as FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack();
  ({ auth } = faulty);
});
afterAll(() => faulty.stop());

const reconcile = () => faulty.stack.worker.scheduled({ cron: "* * * * *" });

/** A musician with a follower and a webhook for finished tracks. */
async function createMusician() {
  const app = await auth.createApp();
  const [musician, follower] = [await auth.signedIn(app), await auth.signedIn(app)];
  await auth.sql("insert into followings (user_id, followee_id) values ($1, $2)", [
    follower.userId,
    musician.userId,
  ]);
  // A closed port, so that each delivery stays a row.
  await auth.sql(
    `insert into webhooks (user_id, app_id, url, target_hash, target_host, events, secret_sealed)
     values ($1, $2, 'https://127.0.0.1:1/', '', '127.0.0.1', '{track.finished}', '')`,
    [musician.userId, app.id],
  );
  return {
    userId: musician.userId,
    token: musician.tokens.access_token,
    reader: follower.tokens.access_token,
  };
}

async function uploaded({ token }: { token: string }): Promise<number> {
  const form = new FormData();
  const file = shortWav();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", file, "song.wav");
  const headers = { Authorization: `OAuth ${token}` };
  const made = await fetch(`${faulty.stack.urls.api}/tracks`, { method: "POST", body: form, headers });
  const { id } = (await made.json()) as Track;
  faulty.ledger.accepted.add(id);
  faulty.ledger.originals.set(id, file);
  return id;
}

const stateOf = async (track: number) =>
  (await auth.sql<{ state: string }>("select state from tracks where id = $1", [track]))[0]?.state;

/** Expects news of the finished track in the follower's feed and for the webhook. */
async function readNews({ userId, reader }: { userId: number; reader: string }, track: number) {
  const headers = { Authorization: `OAuth ${reader}` };
  const feed = await fetch(`${faulty.stack.urls.api}/me/feed`, { headers });
  const { collection } = (await feed.json()) as { collection: { type: string; origin: { id: number } }[] };
  const deliveries = await auth.sql(
    `select 1 from webhook_deliveries d join webhooks w on w.id = d.webhook_id
     where w.user_id = $1 and d.event = 'track.finished' and (d.data->'track'->>'id')::bigint = $2`,
    [userId, track],
  );
  return {
    state: await stateOf(track),
    feed: collection.filter(({ type, origin }) => type === "track" && origin.id === track).length,
    webhook: deliveries.length,
  };
}

test("a finish that fails midway notifies nobody, and the next one notifies everyone once (F56)", async () => {
  const musician = await createMusician();
  const track = await locked(
    auth,
    async () => {
      const made = await uploaded(musician);
      // The report waits at the webhook, inside the statement that finishes the track.
      await auth.sql("select pg_terminate_backend($1)", [await someoneWaits(auth, "encoding_jobs")]);
      expect(await stateOf(made)).toBe("processing");
      return made;
    },
    "webhook_deliveries",
  );
  await expect.poll(() => readNews(musician, track)).toEqual({ state: "finished", feed: 1, webhook: 1 });
});

/** Kills the Worker and waits for the next one. */
async function killWorker(): Promise<void> {
  const { worker = 0 } = faulty.stack.pids();
  process.kill(worker, "SIGKILL");
  await expect.poll(() => faulty.stack.pids().worker ?? worker).not.toBe(worker);
  const status = async () => (await fetch(`${faulty.stack.urls.api}/healthz`)).status;
  await expect.poll(status).toBe(200);
}

test("a Worker killed right after a finish has notified everyone once (F56)", async () => {
  const musician = await createMusician();
  const track = await uploaded(musician);
  await expect.poll(() => stateOf(track), { interval: 5 }).toBe("finished");
  await killWorker();
  expect(await readNews(musician, track)).toEqual({ state: "finished", feed: 1, webhook: 1 });
  await reconcile();
  expect(await readNews(musician, track)).toEqual({ state: "finished", feed: 1, webhook: 1 });
});

/** Reads a musician's events as \`EventSource\` does: it connects again after its last event until all have come. */
class Reader {
  readonly messages: Message[] = [];
  readonly #token: string;
  #lastId: string | undefined;
  #listener: Listener;
  #stopped = false;

  constructor(token: string) {
    this.#token = token;
    this.#listener = new Listener(faulty.stack.urls.api);
  }

  async open(): Promise<void> {
    this.#listener = new Listener(faulty.stack.urls.api);
    await this.#listener.open({ token: this.#token }, this.#lastId);
    void this.#keepOpen();
  }

  /** Ids of the tracks that were liked, in the order of arrival. */
  get liked(): number[] {
    return [...this.messages, ...this.#listener.messages].map(
      ({ event }) => (event.data as { track: { id: number } }).track.id,
    );
  }

  stop(): void {
    this.#stopped = true;
    this.#listener.stop();
  }

  async #keepOpen(): Promise<void> {
    // Goes on after the test.
    while (!this.#listener.ended) await sleep(50);
    this.#lastId = this.#listener.lastId ?? this.#lastId;
    this.messages.push(...this.#listener.messages.splice(0));
    while (
      !this.#stopped &&
      (await this.open().then(
        () => false,
        () => true,
      ))
    )
      await sleep(50);
  }
}

test("readers of events lose none and get none twice when the Worker is killed under them", async () => {
  const musician = await auth.signedIn();
  const fan = await auth.signedIn();
  const tracks = await Promise.all(Array.from({ length: 24 }, () => createTrack(auth, musician.userId)));
  const headers = { Authorization: `OAuth ${fan.tokens.access_token}` };
  /** The reply may be lost with the Worker. A repeated like causes no event. */
  const like = (track: number) =>
    expect
      .poll(() =>
        fetch(`${faulty.stack.urls.api}/likes/tracks/${track}`, { method: "POST", headers }).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  const readers = [1, 2].map(() => new Reader(musician.tokens.access_token));
  await Promise.all(readers.map((reader) => reader.open()));
  // Killed before the first event, too.
  await Promise.all([killWorker(), ...tracks.slice(0, 8).map(like)]);
  await expect.poll(() => Math.min(...readers.map(({ liked }) => liked.length))).toBeGreaterThan(0);
  await Promise.all([killWorker(), ...tracks.slice(8).map(like)]);
  for (const reader of readers) {
    await expect.poll(() => reader.liked.length).toBeGreaterThanOrEqual(tracks.length);
    reader.stop();
    expect(reader.liked.toSorted()).toEqual(tracks.toSorted());
  }
});
