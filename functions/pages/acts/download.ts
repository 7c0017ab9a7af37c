import { Routes } from "../../http/route.ts";
import { readApi } from "../../site/own-api.ts";
import { showSiteError } from "../../site/site-page.tsx";

/** {web_url}/you/download/{id}: leads to a track's original file, as the page's reader may have it. */
export const downloads = new Routes({ renderError: showSiteError });

downloads.page("/you/download/:id{[1-9][0-9]{0,15}}", async (c) => {
  const secret = c.req.query("secret_token");
  const query = secret === undefined ? "" : `?${new URLSearchParams({ secret_token: secret })}`;
  const { location } = await readApi<{ location: string }>(
    c,
    `/tracks/${c.req.param("id")}/download${query}`,
  );
  c.header("Cache-Control", "private, no-store");
  return c.redirect(location);
});
