import type pg from "pg";

export const PEER_TABLE = `create table if not exists oidc_payloads (
  kind text not null, id text not null, payload jsonb not null, grant_id text, expires_at timestamptz,
  primary key (kind, id));
create index if not exists oidc_payloads_grant_id_idx on oidc_payloads (grant_id) where grant_id is not null`;

type Payload = Record<string, unknown>;

/** One table, and one prepared statement by key per operation: an adapter can do no less. */
export function postgresAdapter(pool: pg.Pool) {
  const ask = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values });
  return (kind: string) => ({
    async upsert(id: string, payload: Payload, expiresInS?: number) {
      await ask(
        "upsert",
        `insert into oidc_payloads (kind, id, payload, grant_id, expires_at)
         values ($1, $2, $3, $4, now() + make_interval(secs => $5))
         on conflict (kind, id) do update set payload = $3, grant_id = $4, expires_at = excluded.expires_at`,
        [kind, id, JSON.stringify(payload), payload.grantId ?? null, expiresInS ?? null],
      );
    },
    async find(id: string) {
      const { rows } = await ask(
        "find",
        "select payload from oidc_payloads where kind = $1 and id = $2 and (expires_at is null or expires_at > now())",
        [kind, id],
      );
      return rows[0]?.payload;
    },
    async consume(id: string) {
      await ask(
        "consume",
        `update oidc_payloads set payload = payload || jsonb_build_object('consumed', extract(epoch from now())::bigint)
         where kind = $1 and id = $2`,
        [kind, id],
      );
    },
    async destroy(id: string) {
      await ask("destroy", "delete from oidc_payloads where kind = $1 and id = $2", [kind, id]);
    },
    async revokeByGrantId(grantId: string) {
      await ask("revoke", "delete from oidc_payloads where kind = $1 and grant_id = $2", [kind, grantId]);
    },
  });
}
