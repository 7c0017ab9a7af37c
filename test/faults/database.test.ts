import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { api } from "../support/api.ts";
import { invariantsHoldAfterwards } from "../support/check-invariants.ts";
import { createUser, type Person } from "../support/people.ts";
import { changeTable, runCron, sql, stack } from "../support/stack.ts";
import { createReadyUpload, words } from "../support/tracks.ts";

invariantsHoldAfterwards();

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

/** Backends that this one blocks. */
const waitingFor = (pid: number | undefined) =>
  sql<{ pid: number }>("select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [pid]);

/** Blocks changes of the upload while `during` runs. */
async function whileLocked<Result>(
  { id }: Upload,
  during: (waiting: () => ReturnType<typeof waitingFor>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    const locked = "select pg_backend_pid() as pid from uploads where id = $1 for update";
    const { rows } = await client.query<{ pid: number }>(locked, [id]);
    return await during(() => waitingFor(rows[0]?.pid));
  } finally {
    await client.end();
  }
}

const create = ({ id }: Upload) =>
  fetch(`${stack.urls.api}/tracks`, {
    method: "POST",
    headers: { Authorization: `OAuth ${ana.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ track: { title: "Patience", upload_id: id } }),
  });

const tracksOf = (upload: Upload) =>
  sql("select 1 from tracks t join uploads u on u.object_key = t.original_key where u.id = $1", [upload.id]);

describe("a write that the database refused leaves nothing and can be repeated (I14)", () => {
  test("504: a statement that takes too long is cancelled (F8)", async () => {
    const upload = await createReadyUpload(ana, words());
    const reply = await whileLocked(upload, async (waiting) => {
      const answered = await create(upload);
      await expect.poll(waiting).toEqual([]);
      return answered;
    });
    expect([reply.status, await reply.json()]).toEqual([
      504,
      expect.objectContaining({ code: 504, message: "504 - Gateway Timeout", error: null }),
    ]);
    expect(await tracksOf(upload)).toEqual([]);
    expect((await create(upload)).status).toBe(201);
    expect(await tracksOf(upload)).toHaveLength(1);
  });

  test("503: a backend killed repeatedly, with a time to retry (F12)", async () => {
    const upload = await createReadyUpload(ana, words());
    const reply = await whileLocked(upload, async (waiting) => {
      let answered = false;
      const asked = create(upload).finally(() => {
        answered = true;
      });
      while (!answered) {
        for (const { pid } of await waiting()) await sql("select pg_terminate_backend($1)", [pid]);
        await new Promise((wake) => setTimeout(wake, 50));
      }
      return asked;
    });
    const text = await reply.text();
    expect([reply.status, JSON.parse(text)]).toEqual([
      503,
      expect.objectContaining({ code: 503, error: null }),
    ]);
    expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
    expect(text).not.toMatch(/select|create_|terminat|5[37]P/i);
    expect(await tracksOf(upload)).toEqual([]);
    expect((await create(upload)).status).toBe(201);
  });

  test("500: an error of ours reveals only its request id (X89)", async () => {
    const upload = await createReadyUpload(ana, words());
    await sql(`create function test_fault() returns trigger language plpgsql as $$ begin
      if new.user_id = ${ana.id} then raise exception 'canary in a message'; end if; return new; end $$`);
    await changeTable(
      "create trigger test_fault before insert on tracks for each row execute function test_fault()",
    );
    try {
      const reply = await create(upload);
      const text = await reply.text();
      expect([reply.status, reply.headers.get("X-Request-Id")]).toEqual([
        500,
        expect.stringMatching(/^[\w-]{8,64}$/),
      ]);
      expect(text).not.toMatch(/canary|plpgsql|\bat\b .*:\d+|NeonDbError|P0001/);
      expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
    } finally {
      await changeTable("drop trigger test_fault on tracks; drop function test_fault()");
    }
    expect((await create(upload)).status).toBe(201);
    expect((await api.as(ana).get<unknown[]>("/me/tracks")).body).toHaveLength(3);
  });
});

test.each(["* * * * *", "*/5 * * * *"] as const)("the cron %s ends well", async (cron) => {
  // Other files' locks may stop one run.
  await expect.poll(async () => (await runCron(cron)).outcome).toBe("ok");
});
