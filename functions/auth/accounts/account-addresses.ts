import { apiUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";

/** {web_url}: redirects addresses that people type there to pages on {auth_url} and {base_url}. */
export const accountAddresses = new Routes();

for (const path of ["/settings", "/you/apps", "/forgot"] as const)
  accountAddresses.page(path, (c) => c.redirect(c.env.AUTH_URL + path + new URL(c.req.url).search, 302));

accountAddresses.page("/signin", (c) => c.redirect("/session/new", 302));
accountAddresses.page("/signup", (c) => c.redirect("/session/new?sign_up=true", 302));
accountAddresses.page("/docs", (c) => c.redirect(apiUrl(c.env, "/docs"), 302));
