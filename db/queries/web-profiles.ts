import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";

export const WebProfileFields = () =>
  z.strictObject({
    service: z.string(),
    title: z.string().nullable(),
    url: z.string(),
    username: z.string().nullable(),
  });
export type WebProfileFields = Told<typeof WebProfileFields>;

export const WebProfileRow = () =>
  WebProfileFields().extend({
    id: z.number(),
    created_at: z.string(),
  });
export type WebProfileRow = Told<typeof WebProfileRow>;

export const WebProfileList = () =>
  z.union([
    z.strictObject({
      outcome: z.literal("done"),
      profiles: z.array(WebProfileRow()),
    }),
    z.strictObject({
      outcome: z.enum(["unknown", "not_yours"]),
    }),
  ]);
export type WebProfileList = Told<typeof WebProfileList>;

export const listWebProfiles = (db: Database, caller: Caller, userId: number) =>
  callAs(db, "list_web_profiles", WebProfileList, caller, { id: userId });

/** The whole list replaces the one before. */
export const replaceWebProfiles = (
  db: Database,
  caller: Caller,
  userId: number,
  profiles: WebProfileFields[],
) =>
  repeatAs(db, "replace_web_profiles", WebProfileList, caller, {
    id: userId,
    profiles: JSON.stringify(profiles),
  });
