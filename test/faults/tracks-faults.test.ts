import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  createTrack,
  expectUnanswered,
  expectUnavailable,
  type Sent,
  sender,
} from "../lib/http/requests.support.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;
let { auth, database } = {} as FaultyStack;
let send: ReturnType<typeof sender>;
let owner: number;
let token: string;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
  ({ auth, database } = faulty);
  send = sender(faulty);
  const { userId, tokens } = await auth.signedIn();
  [owner, token] = [userId, tokens.access_token];
});
afterEach(() => database.up());
afterAll(() => faulty.stop());

/** A track of the owner, whose statements the faults meet from now on. */
async function uploadTrack(): Promise<string> {
  const id = await createTrack(auth);
  database.meet(String(id));
  await auth.sql(
    `with post as (update posts set user_id = $2 where subject_id = $1) update tracks set user_id = $2 where id = $1`,
    [id, owner],
  );
  return `/tracks/${id}`;
}

const titleOf = async (path: string) => JSON.parse((await send("GET", path, token)).text).title;

const rename = (path: string, title: string) => send("PUT", path, token, { track: { title } });
const share = (path: string) => send("PUT", `${path}/shared-to/users`, token, { users: [] });
const rotate = (path: string) => send("PUT", `${path}/secret-token`, token);
const remove = (path: string) => send("DELETE", path, token);

test("nothing changes without a database, and the same request works later (F2)", async () => {
  const path = await uploadTrack();
  await database.down();
  for (const ask of [rename(path, "Lost"), share(path), rotate(path), remove(path)])
    expectUnavailable(await ask);
  await database.up();
  expect(await titleOf(path)).toBe("A stored song");
  expect((await rename(path, "Found")).status).toBe(200);
});

test("a complete update is repeated if its reply was lost (F10)", async () => {
  const path = await uploadTrack();
  const asks: (() => Promise<Sent>)[] = [() => rename(path, "Once"), () => share(path), () => rotate(path)];
  for (const ask of asks)
    for (const lose of [database.loseReplies, database.breakReplies, database.cutStatements]) {
      lose(1);
      expect((await ask()).status).toBe(200);
    }
  expect(await titleOf(path)).toBe("Once");
  const shown = JSON.parse((await rotate(path)).text).token;
  expect(JSON.parse((await send("GET", path, token)).text).secret_token).toBe(shown);
});

test("a deletion whose reply was lost may have been done, and was, once (F10)", async () => {
  const path = await uploadTrack();
  database.loseReplies(1);
  expectUnanswered(await remove(path));
  await database.up();
  expect((await remove(path)).status).toBe(404);
});

test("an update ended by a deadlock is retried (F15)", async () => {
  const path = await uploadTrack();
  database.refuse("40P01", 3);
  expect((await rename(path, "Patient")).status).toBe(200);
  database.refuse("40P01", 3);
  expect((await remove(path)).status).toBe(200);
});
