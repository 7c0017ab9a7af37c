import { ana, ben, type Entry, get, one, put, remove } from "../../lib/http/statements.support.ts";
import { createCreditedTrack } from "./credits.support.ts";

/** A track of Ben's that names Ana as an artist. */
const creditPath = async () => `/me/credits/${(await createCreditedTrack(ben, [ana])).id}`;

export const CREDITS: Record<string, Entry> = {
  "GET /me/credits": one(async () => {
    await creditPath();
    return get("/me/credits");
  }),
  "PUT /me/credits/{id}": one(async () => put(await creditPath(), undefined)),
  "DELETE /me/credits/{id}": one(async () => remove(await creditPath())),
  "GET /users/{id}/credits": one(() => get(`/users/${ana.id}/credits`)),
};
