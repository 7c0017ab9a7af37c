import { answerCredit, listCredits } from "../../../db/queries/credits.ts";
import { CREDIT_STATES } from "../../../db/schema/credits.ts";
import { countryOf } from "../../lib/http/country.ts";
import { notFound } from "../../lib/http/errors.ts";
import { filteredList, Paging, sendPageById } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { listOf } from "../../lib/text/search.ts";
import { CreditState } from "../tracks/artists.ts";
import { TrackId } from "../tracks/input.ts";
import { TrackListQuery, Tracks, trackPage } from "../tracks/list.ts";
import { UserId } from "../users/input.ts";
import { Credits, representCredit } from "./representation.ts";

/** Tracks that name a user as an artist, and the user's answers. */
export const credits = new Routes();

const CreditQuery = Paging.extend({
  state: listOf(CreditState, CREDIT_STATES.length)
    .optional()
    .describe("`pending`, `accepted`, `declined`, comma-separated. Default: `pending,accepted`."),
});

credits.get(
  "/me/credits",
  {
    operationId: "listMyCredits",
    summary: "List tracks that name you as an artist",
    description:
      "Latest request first. Tracks that you cannot see are left out, such as private ones before they are published.",
    auth: "user",
    query: CreditQuery,
    replies: { 200: Credits },
  },
  (c, { query: { state, ...paging } }) => {
    const states = state ?? ["pending", "accepted"];
    return sendPageById(c, paging, {
      list: filteredList("me/credits", { states }),
      find: async ({ before, limit }) =>
        listCredits(c.var.db, c.var.viewer, { states, before, limit, country: countryOf(c.req) }),
      represent: (row) => representCredit(c.env, row),
    });
  },
);

const NOT_NAMED = "No track that you see, or it does not name you as an artist.";

credits.put(
  "/me/credits/:id",
  {
    operationId: "acceptCredit",
    summary: "Accept that a track names you as an artist",
    description:
      "The track then links to you, and your profile shows it. If the owner changes your name or role there, you are asked again.",
    auth: "user",
    scope: "social",
    params: TrackId,
    replies: { 200: StatusBody },
    errors: { 404: NOT_NAMED },
  },
  async (c, { params }) => {
    const isNamed = await answerCredit(c.var.db, c.var.viewer, params.id, "accepted");
    return isNamed ? c.json(statusBody(200)) : notFound("Credit");
  },
);

credits.delete(
  "/me/credits/:id",
  {
    operationId: "declineCredit",
    summary: "Decline or withdraw a credit",
    description:
      "The track no longer links to you. The name stays, because it is the owner's text. The owner cannot ask you again for this track; you may still accept.",
    auth: "user",
    scope: "social",
    params: TrackId,
    replies: { 200: StatusBody },
    errors: { 404: NOT_NAMED },
  },
  async (c, { params }) => {
    const isNamed = await answerCredit(c.var.db, c.var.viewer, params.id, "declined");
    return isNamed ? c.json(statusBody(200)) : notFound("Credit");
  },
);

credits.get(
  "/users/:id/credits",
  {
    operationId: "listUserCredits",
    summary: "List others' tracks on which a user is an artist",
    description:
      "Tracks whose credit the user accepted, latest first. Takes the filters of `/tracks`. The user's own tracks stand in `/users/{id}/tracks`.",
    auth: "token",
    params: UserId,
    query: TrackListQuery,
    replies: { 200: Tracks },
  },
  (c, { params, query }) => trackPage(c, query, { list: "users/credits", credited: params.id }),
);
