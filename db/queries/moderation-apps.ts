import { and, desc, eq, isNotNull, or, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { apps, users } from "../schema/people.ts";
import { type By, below, mayRead, type Operator, type Page } from "./acts.ts";
import { clientType } from "./apps.ts";
import { createdAt, firstRow, moment } from "./caller.ts";

/** Apps, as operators see them. */
const moderatedApps = (on: Reader) =>
  on
    .select({
      id: apps.id,
      client_id: apps.clientId,
      client_type: clientType,
      name: apps.name,
      created_at: createdAt(apps.id),
      owner_id: apps.ownerId,
      owner: users.permalink,
      disabled_at: moment<string | null>(apps.disabledAt),
    })
    .from(apps)
    .leftJoin(users, eq(users.id, apps.ownerId));

export type ModeratedApp = Awaited<ReturnType<typeof moderatedApps>>[number];

/** Lists apps whose client id is `words`, or whose name or owner contains them. Newest first. Ours have no owner. */
export const searchApps = (db: Database, operator: Operator, words: string, { before, limit }: Page) =>
  db.read((on) => {
    const names = [apps.name, users.permalink].map(
      (name) => sql`position(lower(${words}) in lower(${name})) > 0`,
    );
    const matches = or(eq(apps.clientId, words), ...names);
    return moderatedApps(on)
      .where(and(mayRead(operator), isNotNull(apps.ownerId), below(apps.id, before), matches))
      .orderBy(desc(apps.id))
      .limit(limit);
  });

/** The present state of an app on which an operator acted. */
export const findModeratedApp = (db: Database, operator: Operator, clientId: string) =>
  db
    .read((on) => moderatedApps(on).where(and(mayRead(operator), eq(apps.clientId, clientId))))
    .then(firstRow);

/** `own`: the app is the service's own, and its pages need it. */
const AppAct = () =>
  z.union([
    z.strictObject({ outcome: z.literal("done"), sessions: z.number() }),
    z.strictObject({ outcome: z.enum(["already", "unknown", "own", "owner_disabled"]) }),
  ]);

/** May run long: the sessions of everybody in the app end. The owner reads `message`, and never the reason. */
export const stopApp = (db: Database, by: By, clientId: string, message: string | null) =>
  db.callAtLength("act_on_app", AppAct, { by, act: "revoke", client: clientId, message });

export const startApp = (db: Database, by: By, clientId: string) =>
  db.call("act_on_app", AppAct, { by, act: "restore", client: clientId });
