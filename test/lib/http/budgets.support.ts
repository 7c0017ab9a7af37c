import type { Reply } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

/** Sets the used amount of a window that ends in ten minutes, in the person's app or in all apps together. */
export const use = (who: Person, name: string, taken: number, endsInS = 600) =>
  useOf(bucketOf(who, name), taken, endsInS);

export const bucketOf = (who: Person, name: string) => `${name} ${who.id} ${who.app.client_id}`;

export const useInAllApps = (who: Person, name: string, taken: number) => useOf(`${name} ${who.id}`, taken);

export const useOf = (bucket: string, taken: number, endsInS = 600) =>
  sql(
    `insert into budgets (bucket, taken, ends_at) values ($1, $2, now() + make_interval(secs => $3))
     on conflict (bucket) do update set taken = excluded.taken, ends_at = excluded.ends_at`,
    [bucket, taken, endsInS],
  );

export const budgetIn = ({ headers }: Pick<Reply<unknown>, "headers">) => {
  const [, name, remaining, resetS] =
    /^"([\w-]+)";r=(\d+);t=(\d+)$/.exec(headers.get("RateLimit") ?? "") ?? [];
  return name && { name, remaining: Number(remaining), resetS: Number(resetS) };
};
