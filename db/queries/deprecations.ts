import {
  and,
  count,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  notExists,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database, Reader } from "../client.ts";
import { deprecatedUses, deprecationNotices, type Notice } from "../schema/deprecations.ts";
import { accounts, apps, users } from "../schema/people.ts";
import { below, mayRead, type Operator, type Page } from "./acts.ts";

/** Days in UTC. */
const today = sql<string>`(now() at time zone 'UTC')::date`;

/** Days for which a use is remembered, and within which an app counts as still using something. */
export const USES_DAYS = 30;
const RECENT_DAYS = 7;

export const usedWithin = (days: number): SQL => gt(deprecatedUses.usedOn, sql`${today} - ${days}::int`);

export interface DeprecatedUse {
  deprecation: string;
  /** A day. */
  used_on: string;
}

/** A column with what an app used that ends. */
export const deprecatedUsesOf = (on: Pick<Reader, "select">, appId: SQLWrapper) =>
  sql<DeprecatedUse[]>`(${on
    .select({
      uses: sql`coalesce(json_agg(json_build_object(
        'deprecation', ${deprecatedUses.deprecation}, 'used_on', ${deprecatedUses.usedOn})
        order by ${deprecatedUses.deprecation}), '[]')`,
    })
    .from(deprecatedUses)
    .where(and(eq(deprecatedUses.appId, appId), usedWithin(USES_DAYS)))})`;

/** Notes that an app of somebody's used something today. Ignores unknown apps. */
export const noteDeprecatedUse = (db: Database, clientId: string, deprecation: string) =>
  db.write((on) =>
    on
      .insert(deprecatedUses)
      .select(
        on
          .select({
            appId: apps.id,
            deprecation: sql`${deprecation}`.as("deprecation"),
            usedOn: today.as("used_on"),
          })
          .from(apps)
          .where(and(eq(apps.clientId, clientId), isNotNull(apps.ownerId))),
      )
      .onConflictDoUpdate({
        target: [deprecatedUses.appId, deprecatedUses.deprecation],
        set: { usedOn: sql`excluded.used_on` },
        setWhere: sql`${deprecatedUses.usedOn} < excluded.used_on`,
      }),
  );

interface Due {
  deprecation: string;
  notice: Notice;
}

/**
 * Queues a mail to each owner of apps that used something and have no such mail yet: one for all of them, and one a day, because
 * each app begins at its own time. One statement, so a run that breaks off or happens twice sends none twice. Returns the
 * number of apps.
 */
export async function queueDeprecationMails(db: Database, { deprecation, notice }: Due, most: number) {
  const rows = await db.write((on) => {
    const isSame = and(
      eq(deprecationNotices.deprecation, deprecation),
      eq(deprecationNotices.notice, notice),
    );
    const ofApp = on
      .select({ one: sql`1` })
      .from(deprecationNotices)
      .where(and(isSame, eq(deprecationNotices.appId, deprecatedUses.appId)));
    const siblings = alias(apps, "siblings");
    const ofOwnerToday = on
      .select({ one: sql`1` })
      .from(siblings)
      .innerJoin(deprecationNotices, eq(deprecationNotices.appId, siblings.id))
      .where(and(isSame, eq(siblings.ownerId, apps.ownerId), eq(deprecationNotices.queuedOn, today)));
    const due = on.$with("due").as(
      on
        .select({ appId: deprecatedUses.appId, name: apps.name, owner: apps.ownerId, email: accounts.email })
        .from(deprecatedUses)
        .innerJoin(apps, eq(apps.id, deprecatedUses.appId))
        .innerJoin(users, eq(users.id, apps.ownerId))
        .innerJoin(accounts, eq(accounts.userId, apps.ownerId))
        .where(
          and(
            eq(deprecatedUses.deprecation, deprecation),
            usedWithin(notice === "announced" ? USES_DAYS : RECENT_DAYS),
            isNull(apps.disabledAt),
            isNull(users.disabledAt),
            eq(accounts.awaitsConfirmation, false),
            notExists(ofApp),
            notExists(ofOwnerToday),
          ),
        )
        .orderBy(apps.ownerId)
        .limit(most),
    );
    const noticed = on.$with("noticed").as(
      on
        .insert(deprecationNotices)
        .select(
          on
            .with(due)
            .select({
              appId: due.appId,
              deprecation: sql`${deprecation}`.as("deprecation"),
              notice: sql`${notice}`.as("notice"),
              queuedOn: today.as("queued_on"),
            })
            .from(due),
        )
        .onConflictDoNothing()
        .returning({ appId: deprecationNotices.appId }),
    );
    const names = sql`jsonb_agg(${due.name} order by ${due.name})`;
    const facts = sql`jsonb_build_object('apps', ${names}, 'deprecation', ${deprecation}::text)`;
    return on
      .with(due, noticed)
      .select({
        apps: count(),
        mail: sql`queue_mail(${due.owner}, 'deprecation', ${due.email}, null, null, ${facts})`,
      })
      .from(due)
      .innerJoin(noticed, eq(noticed.appId, due.appId))
      .groupBy(due.owner, due.email);
  });
  return rows.reduce((sum, row) => sum + row.apps, 0);
}

/** Lists apps that used what ends, with the days and the mails about it. The newest first. */
export const listDeprecatedApps = (db: Database, operator: Operator, { before, limit }: Page) =>
  db.read((on) => {
    const mails = on
      .select({
        all: sql`coalesce(json_agg(${deprecationNotices.notice} order by ${deprecationNotices.notice}), '[]')`,
      })
      .from(deprecationNotices)
      .where(
        and(
          eq(deprecationNotices.appId, deprecatedUses.appId),
          eq(deprecationNotices.deprecation, deprecatedUses.deprecation),
        ),
      );
    const uses = on
      .select({
        all: sql`json_agg(json_build_object('deprecation', ${deprecatedUses.deprecation},
          'used_on', ${deprecatedUses.usedOn}, 'mails', (${mails})))`,
      })
      .from(deprecatedUses)
      .where(and(eq(deprecatedUses.appId, apps.id), usedWithin(USES_DAYS)));
    return on
      .select({
        id: apps.id,
        client_id: apps.clientId,
        name: apps.name,
        owner: users.permalink,
        uses: sql<(DeprecatedUse & { mails: Notice[] })[]>`(${uses})`,
      })
      .from(apps)
      .innerJoin(users, eq(users.id, apps.ownerId))
      .where(and(mayRead(operator), below(apps.id, before), sql`(${uses}) is not null`))
      .orderBy(desc(apps.id))
      .limit(limit);
  });
