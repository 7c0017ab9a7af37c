import type { Context } from "hono";
import { findEpisode, type OwnName } from "../../../../db/queries/podcasts.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import type { FormState } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { asReader } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { ChaptersForm } from "./episode-chapters.tsx";
import { EpisodeForm } from "./episode-form.tsx";
import { TranscriptForm } from "./episode-texts.tsx";

/** Forms that were refused, to show again. */
interface SentForms {
  episode?: FormState;
  transcript?: FormState;
  chapters?: FormState;
  picture?: FormState;
}

/** The set or track in the page's path. */
export function nameIn(c: Context<AppEnv>): OwnName {
  const { user = "", set, track } = c.req.param();
  return { owner: user, permalink: set ?? track ?? "" };
}

/** Subject of form tokens. */
export const subjectOf = (c: Context<AppEnv>) => `podcast fields ${c.req.path}`;

/** The page on which the owner edits a track as an episode. */
export async function showEpisode(c: Context<AppEnv>, sent: SentForms = {}): Promise<Response> {
  const found = await asReader(c, (reader) => findEpisode(c.var.db, reader, nameIn(c)));
  const track = found ?? notFound("Track");
  const isRefused = Object.keys(sent).length > 0;
  const form = { track, action: c.req.path, token: formToken(c, subjectOf(c)) };
  return showSite(
    c,
    {
      title: `${track.title} as an episode`,
      status: isRefused ? 422 : 200,
      styles: ["podcast.css"],
    },
    <div class="settings">
      <EpisodeForm
        {...form}
        state={sent.episode}
        isSaved={!isRefused && c.req.query("saved") !== undefined}
      />
      <TranscriptForm {...form} state={sent.transcript} />
      <ChaptersForm {...form} links={c.env} state={sent.chapters} picture={sent.picture} />
    </div>,
  );
}
