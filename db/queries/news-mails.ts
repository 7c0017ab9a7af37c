import { and, eq, lte, notInArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { activities } from "../schema/activities.ts";
import { credits } from "../schema/credits.ts";
import { followings } from "../schema/followings.ts";
import { mails } from "../schema/mails.ts";
import { NEWS_KINDS, type NEWS_MAILS, news, newsMails } from "../schema/news.ts";
import { accounts, users } from "../schema/people.ts";
import { posts } from "../schema/posts.ts";
import { callersId, firstIdAt, firstRow, onlyRow, type SignedIn, signedIn } from "./caller.ts";
import { shownGroups } from "./news.ts";
import { type NewsKind, newsGroups } from "./news-events.ts";
import { number } from "./show-parts.ts";

export type NewsMail = (typeof NEWS_MAILS)[number];

/** When a kind of news is mailed. */
export const NEWS_TIMES = ["off", "once", "daily"] as const;
export type NewsChoices = Record<NewsKind, (typeof NEWS_TIMES)[number]>;

interface Chosen {
  mail: NewsMail;
  kinds: NewsKind[];
}

/** Reads which mails the caller wants, and where they go. */
export async function findNewsChoices(db: Database, caller: SignedIn) {
  const rows = await db.read((on) =>
    on
      .select({
        email: accounts.email,
        confirmed: sql<boolean>`${accounts.confirmedAt} is not null`,
        // The builder leaves out the names of tables here.
        chosen: sql<
          Chosen[]
        >`(select coalesce(json_agg(json_build_object('mail', n.mail, 'kinds', n.kinds)), '[]')
          from ${newsMails} n where n.user_id = accounts.user_id)`,
      })
      .from(accounts)
      .where(and(signedIn(caller), eq(accounts.userId, caller.userId))),
  );
  const { chosen, ...address } = onlyRow(rows);
  const timeOf = (kind: NewsKind) => {
    if (chosen.some(({ mail }) => mail === kind)) return "once";
    const isDaily = chosen.some(({ mail, kinds }) => mail === "daily" && kinds.includes(kind));
    return isDaily ? "daily" : "off";
  };
  return {
    ...address,
    choices: Object.fromEntries(NEWS_KINDS.map((kind) => [kind, timeOf(kind)])) as NewsChoices,
  };
}

/** Ids of events up to here have been committed: a write ends after five seconds. */
const settled = firstIdAt(sql`now() - interval '10 seconds'`);

const hoursOn = (hours: SQL) => sql`date_trunc('day', now(), 'UTC') + make_interval(hours => ${hours})`;

/** The next hour after seven in the morning (UTC), in which each user has a second of their own. */
const nextMorning = (userId: SQL) =>
  sql`${hoursOn(sql`case when ${hoursOn(sql`7`)} > now() then 7 else 31 end`)}
    + make_interval(secs => (${userId} / 4096 % 3600)::float8)`;

/** Saves which mails the caller wants. They tell of what happens from now on. */
export async function saveNewsChoices(db: Database, caller: SignedIn, choices: NewsChoices): Promise<void> {
  const kindsAt = (time: string) => NEWS_KINDS.filter((kind) => choices[kind] === time);
  const daily = kindsAt("daily");
  const wanted: Chosen[] = [
    ...kindsAt("once").map((kind) => ({ mail: kind, kinds: [kind] })),
    ...(daily.length ? [{ mail: "daily" as const, kinds: daily }] : []),
  ];
  const user = callersId(caller);
  await db.writeAll((on) => {
    const others = notInArray(newsMails.mail, [...wanted.map(({ mail }) => mail), "" as NewsMail]);
    const dropped = on.delete(newsMails).where(and(eq(newsMails.userId, user), others));
    const rows = wanted.map(({ mail, kinds }) => ({
      userId: user,
      mail,
      kinds,
      lookedId: firstIdAt(sql`now()`),
      nextLookAt: mail === "daily" ? nextMorning(sql`${caller.userId}::bigint`) : sql`now()`,
    }));
    if (!rows.length) return [dropped];
    return [
      dropped,
      on
        .insert(newsMails)
        .values(rows)
        .onConflictDoUpdate({
          target: [newsMails.userId, newsMails.mail],
          set: { kinds: sql`excluded.kinds` },
        }),
    ];
  });
}

/** Ends one mail of a user. Ending it again changes nothing. */
export const endNewsMail = (db: Database, userId: number, mail: NewsMail) =>
  db.write((on) => on.delete(newsMails).where(and(eq(newsMails.userId, userId), eq(newsMails.mail, mail))));

/** Matches if something of a kind has happened. `due` is the row of the mail. */
const happened: Record<NewsKind, SQL> = (() => {
  const isFresh = (id: SQL | typeof activities.id) => sql`${id} > due.looked_id and ${id} <= ${settled}`;
  const activity = (
    about: string,
    more: SQL,
  ) => sql`exists (select from ${activities} where ${activities.userId} = due.user_id
    and ${activities.about} = ${about} and ${isFresh(activities.id)} and ${more})`;
  const isSaid = sql`${activities.commentId} is not null`;
  return {
    comments: sql`(${activity("own", isSaid)} or ${activity("conversation", isSaid)})`,
    followers: sql`exists (select from ${followings} where ${followings.followeeId} = due.user_id
      and ${isFresh(sql`${followings.id}`)})`,
    likes: sql`(${activity("own", sql`${activities.favoredTrackId} is not null`)} or exists (select from ${news}
      where ${news.userId} = due.user_id and ${isFresh(sql`${news.id}`)}))`,
    tracks: sql`(${activity("shared", sql`true`)} or exists (select from ${credits}
        where ${credits.userId} = due.user_id and ${credits.state} = 'pending' and ${isFresh(sql`${credits.id}`)})
      or exists (select from ${followings} join ${posts}
        on ${posts.userId} = ${followings.followeeId} and ${posts.kind} in ('track', 'playlist') and ${isFresh(sql`${posts.id}`)}
      where ${followings.userId} = due.user_id))`,
  };
})();

const isAsked = (kind: NewsKind) => sql`(${kind} = any (due.kinds) and ${happened[kind]})`;

/**
 * Looks at the mails that are due, and queues those with something to tell. One statement, so that a mail is queued together with
 * the note that it was, and a run that breaks off repeats nothing. A mail that waits or was refused holds back the next of its kind.
 * Returns the number of looks, and the ids of the mails.
 */
export async function queueNewsMails(db: Database, most: number) {
  const rows = await db.write((on) => {
    const due = on
      .$with("due")
      .as(
        on
          .select()
          .from(newsMails)
          .where(lte(newsMails.nextLookAt, sql`now()`))
          .orderBy(newsMails.nextLookAt)
          .limit(most)
          .for("update", { skipLocked: true }),
      );
    const looked = on.$with("looked").as(
      on
        .select({
          userId: due.userId,
          mail: due.mail,
          since: sql<number>`due.looked_id`.as("since"),
          until: sql<number>`greatest(due.looked_id, ${settled})`.as("until"),
          recipient: accounts.email,
          isHeld:
            sql<boolean>`exists (select from ${mails} where ${mails.userId} = due.user_id and ${mails.kind} = 'news'
            and ${mails.facts}->>'mail' = due.mail)`.as("is_held"),
          isNews: sql<boolean>`(${accounts.confirmedAt} is not null and ${users.disabledAt} is null
            and (${sql.join(NEWS_KINDS.map(isAsked), sql` or `)}))`.as("is_news"),
        })
        .from(due)
        .innerJoin(accounts, eq(accounts.userId, due.userId))
        .innerJoin(users, eq(users.id, due.userId)),
    );
    const moved = on.$with("moved").as(
      on
        .update(newsMails)
        .set({
          lookedId: sql`case when looked.is_held then looked.since else looked.until end`,
          nextLookAt: sql`case when looked.mail = 'daily' then ${nextMorning(sql`looked.user_id`)}
            when looked.is_held or looked.is_news then now() + interval '1 hour' else now() + interval '5 minutes' end`,
        })
        .from(looked)
        .where(and(eq(newsMails.userId, looked.userId), eq(newsMails.mail, looked.mail)))
        .returning({ mail: newsMails.mail }),
    );
    const queued = on.$with("queued", { id: mails.id }).as(
      sql`insert into ${mails} (user_id, kind, recipient, facts)
        select looked.user_id, 'news', looked.email, jsonb_build_object('mail', looked.mail, 'since', looked.since, 'until', looked.until)
        from looked where looked.is_news and not looked.is_held returning id`,
    );
    return on
      .with(due, looked, moved, queued)
      .select({
        looked: number(sql`count(*)`),
        mails: sql<number[]>`(select coalesce(json_agg(id), '[]') from queued)`,
      })
      .from(moved);
  });
  return onlyRow(rows);
}

/** Facts in the row of a queued mail. */
interface NewsMailFacts {
  mail: NewsMail;
  since: number;
  until: number;
}

/**
 * Begins an attempt, like `begin_mail`, for one of several callers. `kinds` is null if the mail must not be sent: its reader has
 * ended it, left, or has no such confirmed address any more.
 */
export const beginNewsMail = (db: Database, id: number, attempt: string) =>
  db
    .write((on) =>
      on
        .update(mails)
        .set({
          tries: sql`${mails.tries} + 1`,
          attempt,
          nextAttemptAt: sql`now() + interval '2 minutes'`,
        })
        .where(
          and(
            eq(mails.id, id),
            eq(mails.kind, "news"),
            eq(mails.state, sql`'waiting'`),
            lte(mails.nextAttemptAt, sql`now()`),
          ),
        )
        .returning({
          userId: sql<number>`${mails.userId}`.mapWith(Number),
          recipient: mails.recipient,
          facts: sql<NewsMailFacts>`${mails.facts}`,
          // The builder leaves out the names of tables here.
          kinds: sql<NewsKind[] | null>`(select to_json(n.kinds) from ${newsMails} n join ${accounts} a
            on a.user_id = n.user_id join ${users} u on u.id = n.user_id
            where n.user_id = mails.user_id and n.mail = mails.facts->>'mail'
              and a.email = mails.recipient and a.confirmed_at is not null and u.disabled_at is null)`,
        }),
    )
    .then(firstRow);

/** Events of each source that a mail looks at, and groups that it tells of. */
const LOOKED_AT = 1_000;
const TOLD = 20;

/** Reads what a mail tells, as its reader may see it now. */
export async function readNewsOfMail(
  db: Database,
  userId: number,
  kinds: readonly NewsKind[],
  { since, until }: NewsMailFacts,
) {
  const user = sql`${userId}::bigint`;
  const below = sql`${until + 1}::bigint`;
  const groups = newsGroups(
    { user, kinds, above: sql`${since}::bigint`, below, most: LOOKED_AT, followed: "all" },
    { before: below, limit: TOLD + 1, byPerson: true },
  );
  const rows = await db.read((on) => shownGroups(on, groups, user));
  const found = rows.filter(({ kind }) => kind !== null);
  return { groups: found.slice(0, TOLD), more: found.length > TOLD };
}
