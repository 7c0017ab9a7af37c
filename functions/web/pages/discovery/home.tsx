import type { Context } from "hono";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import { type Reader, readerOf, signInUrl, signUpUrl } from "../../../ui/bar.tsx";
import { siteName, siteWords } from "../../../ui/name.ts";
import { SignInNeeded } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { siteViewer } from "../../../ui/viewer.ts";
import { showFeed } from "./feed.tsx";
import { discover } from "./new-and-popular.ts";
import { TrackRows } from "./track-rows.tsx";

/** Tracks per list. */
const SHOWN = 8;

/** Shows the feed to signed-in readers. With an ended session they see the visitors' page. */
export async function showHome(c: Context<AppEnv>): Promise<Response> {
  if (!siteViewer(c)) return showVisitors(c);
  try {
    return await showFeed(c);
  } catch (error) {
    if (error instanceof SignInNeeded) return showVisitors(c);
    throw error;
  }
}

async function showVisitors(c: Context<AppEnv>): Promise<Response> {
  const { newest, popular } = await discover(c, { newest: SHOWN, popular: SHOWN });
  const { env } = c;
  const reader = readerOf(c);
  return showSite(
    c,
    {
      title: siteWords(env),
      reader,
      head: <meta name="description" content={`${siteName(env)}: ${siteWords(env)}`} />,
    },
    <>
      <Welcome env={env} reader={reader} />
      <div class="columns">
        <section class="card listing">
          <h2>New</h2>
          <TrackRows
            env={env}
            reader={reader}
            label="New tracks"
            tracks={newest}
            empty="Nobody has published a track yet. Yours could be the first."
          />
        </section>
        {popular.length > 0 && (
          <section class="card listing">
            <h2>Popular</h2>
            <TrackRows env={env} reader={reader} label="Popular tracks" tracks={popular} empty="" />
          </section>
        )}
      </div>
      {newest.length > 0 && (
        <p class="paging">
          <a class="button quiet" href="/discover">
            Discover more
          </a>
        </p>
      )}
    </>,
  );
}

const Welcome = ({ env, reader }: { env: Env; reader: Reader }) => (
  <section class="hero">
    <h1>{siteWords(env)}</h1>
    <p class="lead">
      Upload your tracks in full quality, listen to others without interruption, and follow the people whose
      sound you like.
    </p>
    <p class="actions">
      <Apart>
        <a class="button" href={signUpUrl(env, reader)} data-turbo="false">
          Create an account
        </a>
        <a class="button quiet" href={signInUrl(env, reader)} data-turbo="false">
          Sign in
        </a>
      </Apart>
    </p>
  </section>
);
