import * as z from "zod";
import { Routes } from "../../lib/http/route.ts";
import { Suggestions, SuggestionText, suggestionsFor } from "./suggestions.ts";

export const search = new Routes();

search.get(
  "/suggestions",
  {
    operationId: "listSuggestions",
    summary: "Suggest tracks, playlists and users",
    description:
      "For a field that suggests while somebody types: up to eight public tracks, playlists and users together whose title, artist or name has words that begin like those of `q`. Titles and names that begin like `q` come first, popular ones first. Send it when typing pauses, and cancel a request that a newer one replaces.",
    tag: "search",
    auth: "token",
    query: z.object({ q: SuggestionText }),
    replies: { 200: Suggestions },
  },
  async (c, { query: { q } }) =>
    c.json({ suggestions: await suggestionsFor(c.env, c.var.db, c.var.viewer, q) }),
);
