import type { Context } from "hono";
import { findPodcast, type OwnPodcast, saveEpisode, savePodcast } from "../../../../db/queries/podcasts.ts";
import { feedUrl } from "../../../api/podcasts/addresses.ts";
import { isMultipart } from "../../../lib/http/body/multipart.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { unsealBase64 } from "../../../lib/security/sealing.ts";
import { changedIn } from "../../../ui/changed-fields.ts";
import type { FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { asReader } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { nameIn, showEpisode, subjectOf } from "./episode-page.tsx";
import { takeTexts } from "./episode-uploads.ts";
import { EpisodeInput, PodcastInput, problemsOf } from "./input.ts";
import { PodcastForms } from "./podcast-forms.tsx";

/** {web_url}: an owner's feed settings for a set, and for a track as an episode. */
export const podcastForms = new Routes({ renderError: showSiteError });

const PODCAST = "/:user/sets/:set/podcast";
const EPISODE = "/:user/:track/episode";

podcastForms.page(PODCAST, (c) => showPodcast(c));

podcastForms.form(PODCAST, async (c) => {
  const page = formPage(c, c.req.path);
  const values = await readOwnForm(c, subjectOf(c));
  const read = values.stop === "yes" ? undefined : PodcastInput.safeParse(values);
  if (read && !read.success) return showPodcast(c, { values, problems: problemsOf(read.error) });
  const podcast = read?.data ?? null;
  const changed = changedIn(values, podcast ?? {});
  const unchanged = Object.keys(podcast ?? {}).filter((name) => !(name in changed));
  const isSaved = await asReader(c, (reader) => savePodcast(c.var.db, reader, nameIn(c), podcast, unchanged));
  if (!isSaved) return notFound("Set");
  return seeOther(c, `${page}?saved`);
});

async function showPodcast(c: Context<AppEnv>, sent?: FormState): Promise<Response> {
  const found = await asReader(c, (reader) => findPodcast(c.var.db, reader, nameIn(c)));
  const set = found ?? notFound("Set");
  return showSite(
    c,
    { title: `Podcast settings of ${set.title}`, status: sent ? 422 : 200 },
    <PodcastForms
      env={c.env}
      set={set}
      action={c.req.path}
      feed={feedOf(c, set)}
      state={sent}
      token={formToken(c, subjectOf(c))}
      isSaved={!sent && c.req.query("saved") !== undefined}
    />,
  );
}

function feedOf(c: Context<AppEnv>, set: OwnPodcast): string {
  const { owner, permalink } = nameIn(c);
  const secret = set.private ? unsealBase64(c.env, set.secret_sealed) : undefined;
  return feedUrl(c.env, { user: owner, set: permalink, secret });
}

podcastForms.page(EPISODE, (c) => showEpisode(c));

podcastForms.form(EPISODE, async (c) => {
  const page = formPage(c, c.req.path);
  if (isMultipart(c.req.raw)) return takeTexts(c);
  const values = await readOwnForm(c, subjectOf(c));
  const read = EpisodeInput.safeParse(values);
  if (!read.success) return showEpisode(c, { episode: { values, problems: problemsOf(read.error) } });
  const changes = changedIn(values, read.data);
  const isSaved = await asReader(c, (reader) => saveEpisode(c.var.db, reader, nameIn(c), changes));
  if (!isSaved) return notFound("Track");
  return seeOther(c, `${page}?saved`);
});
