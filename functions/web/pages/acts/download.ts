import { secretQuery } from "../../../api/tracks/secret.ts";
import { Routes } from "../../../lib/http/route.ts";
import { readApi } from "../../../ui/own-api.ts";
import { showSiteError } from "../../../ui/site-page.tsx";

/** {web_url}/you/download/{id}: redirects the reader to a track's original file. */
export const downloads = new Routes({ renderError: showSiteError });

downloads.page("/you/download/:id", async (c) => {
  const query = secretQuery(c.req.query("secret_token"));
  const { location } = await readApi<{ location: string }>(
    c,
    `/tracks/${c.req.param("id")}/download${query}`,
  );
  c.header("Cache-Control", "private, no-store");
  return c.redirect(location);
});
