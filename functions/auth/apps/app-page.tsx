import { type AppRow, findAppByPermalink } from "../../../db/queries/apps.ts";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { Page } from "../../ui/layout.tsx";
import { siteName } from "../../ui/name.ts";
import { pageNotFound } from "../../ui/not-found.tsx";
import { sendPage } from "../../ui/policy.ts";

/** {web_url} */
export const appPage = new Routes();

/** Permalinks never consist of digits alone, unlike ids in the API. */
appPage.page("/apps/:permalink{[0-9a-z-]*[a-z-][0-9a-z-]*}", async (c) => {
  const app = await findAppByPermalink(c.var.db, c.req.param("permalink"));
  if (!app) return pageNotFound(c);
  return sendPage(c, <AppPage env={c.env} app={app} />, {
    cacheControl: "public, max-age=60",
    formAction: "'self'",
  });
});

const AppPage = ({ env, app }: { env: Env; app: AppRow }) => (
  <Page env={env} title={`${app.name} · ${siteName(env)}`}>
    <section class="card message">
      <p class="eyebrow">App</p>
      <h1>{app.name}</h1>
      <p>
        Made by <a href={webUrl(env, `/${app.creator_permalink}`)}>{app.creator}</a>, not by {siteName(env)}.
      </p>
      {app.external_url && (
        <a class="button" href={app.external_url} rel="nofollow ugc noopener">
          {new URL(app.external_url).host}
        </a>
      )}
    </section>
  </Page>
);
