import { webUrl } from "../../../lib/http/links.ts";
import { Routes } from "../../../lib/http/route.ts";
import { changedIn } from "../../../ui/changed-fields.ts";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSiteError } from "../../../ui/site-page.tsx";
import { CONNECT, connected, showConnections } from "./connections-page.tsx";
import { LINKS, saveLinks, showLinks } from "./links-page.tsx";

/** {web_url}: the links on the reader's profile, and their profiles at other services. */
export const profilePages = new Routes({ renderError: showSiteError });

profilePages.page("/you/links", (c) => showLinks(c));

profilePages.form("/you/links", async (c) => {
  formPage(c, "/you/links");
  const wrong = await saveLinks(c, await readOwnForm(c, LINKS));
  return wrong ? showLinks(c, wrong) : seeOther(c, "/you/links?notice=saved");
});

profilePages.page("/you/connections", showConnections);

profilePages.form("/you/connections", async (c) => {
  const page = formPage(c, "/you/connections");
  const { service } = await readOwnForm(c, CONNECT);
  const asked = { service, redirect_uri: webUrl(c.env, page) };
  const { authorize_url } = await writeApi<{ authorize_url: string }>(c, "POST", "/me/connections", asked);
  return c.redirect(authorize_url, 303);
});

const ONE = "/you/connections/:id";

profilePages.form(ONE, async (c) => {
  const id = Number(c.req.param("id"));
  formPage(c, "/you/connections");
  const sent = await readOwnForm(c, connected(id));
  const ticked = {
    post_favorite: sent.post_favorite !== undefined,
    post_publish: sent.post_publish !== undefined,
  };
  await writeApi(c, "PUT", `/me/connections/${id}`, changedIn(sent, ticked));
  return seeOther(c, "/you/connections");
});

profilePages.form(`${ONE}/delete`, async (c) => {
  const id = Number(c.req.param("id"));
  formPage(c, "/you/connections");
  await readOwnForm(c, connected(id));
  await writeApi(c, "DELETE", `/me/connections/${id}`);
  return seeOther(c, "/you/connections");
});
