import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { apps } from "../schema/people.ts";
import type { ReplyOf } from "../shape.ts";
import type { By, Page } from "./moderation.ts";

export const ModeratedApp = () =>
  rowOf(apps)
    .pick({ id: true, client_id: true, name: true, owner_id: true, disabled_at: true })
    .extend({ created_at: z.string(), owner: z.string().nullable() });
export type ModeratedApp = ReplyOf<typeof ModeratedApp>;

/** Lists apps whose client id is `words`, or whose name or owner contains them. Newest first. */
export const searchApps = (db: Database, words: string, { before, limit }: Page) =>
  db.call("search_apps", () => z.array(ModeratedApp()), { words, before, limit });

/** `own`: the app is the service's own, and its pages need it. May run long: the sessions of everybody in the app end. */
export const stopApp = (db: Database, by: By, clientId: string) =>
  db.callAtLength(
    "stop_app",
    () =>
      z.union([
        z.strictObject({ outcome: z.literal("done"), app: ModeratedApp(), sessions: z.number() }),
        z.strictObject({ outcome: z.literal("already"), app: ModeratedApp() }),
        z.strictObject({ outcome: z.enum(["unknown", "own"]) }),
      ]),
    { by, client: clientId },
  );

export const startApp = (db: Database, by: By, clientId: string) =>
  db.call(
    "start_app",
    () =>
      z.union([
        z.strictObject({ outcome: z.enum(["done", "already"]), app: ModeratedApp() }),
        z.strictObject({ outcome: z.enum(["unknown", "owner_disabled"]) }),
      ]),
    { by, client: clientId },
  );
