import type { Context } from "hono";
import { readLanding } from "../../../../db/queries/landing.ts";
import { isAddress, resourceNamed } from "../../../api/resolve/address.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { countryOf } from "../../../lib/http/country.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { type Reader, readerOf, signUpUrl } from "../../../ui/bar.tsx";
import { siteName, siteWords } from "../../../ui/name.ts";
import { offersSignUp, WhoMaySignUp } from "../../../ui/registration.tsx";
import { showSite } from "../../../ui/site-page.tsx";
import { readAsReader } from "../../../ui/viewer.ts";
import { Cards } from "../rows/card.tsx";
import { TrackCard } from "../rows/track-card.tsx";
import { Lead, leadIn } from "./lead.tsx";
import { Promises } from "./promises.tsx";

/** Tracks per list, and of the set that leads. */
const SHOWN = 12;
const ENTRIES = 5;

/** Shows visitors a release that plays, what the service does better, and what is new and popular. */
export async function showLanding(c: Context<AppEnv>): Promise<Response> {
  const { env } = c;
  const wanted = {
    country: countryOf(c.req),
    chosen: chosenLead(env),
    ...{ newest: SHOWN, popular: SHOWN, entries: ENTRIES },
  };
  const found = await readAsReader(c, (db, viewer) => readLanding(db, viewer, wanted));
  const [newest, popular] = [found.newest, found.popular].map((rows) =>
    rows.map((row) => representTrack(env, row)),
  ) as [Track[], Track[]];
  const reader = readerOf(c);
  const lead = leadIn(env, found);
  return showSite(
    c,
    {
      title: siteWords(env),
      reader,
      description: `${siteName(env)}: ${siteWords(env)}`,
      styles: ["home.css"],
    },
    <div class="landing">
      <Welcome env={env} reader={reader} isFirst={lead === undefined} />
      {lead && <Lead env={env} reader={reader} lead={lead} />}
      <Promises env={env} lead={lead} />
      <Covers title="New" label="New tracks" tracks={newest} more="/discover?show=newest" />
      <Covers title="Popular" label="Popular tracks" tracks={popular} more="/discover?show=popular" />
      <Invitation env={env} reader={reader} isFirst={newest.length === 0} />
    </div>,
  );
}

/** The operator's setting, as an address or a path. A wrong one chooses nothing. */
const chosenLead = (env: Env) => {
  const named = env.SITE_FEATURED?.trim() ?? "";
  return resourceNamed(isAddress(named) ? named : `${env.WEB_URL}/${named.replace(/^\/+/, "")}`, env);
};

interface WelcomeProps {
  env: Env;
  reader: Reader;
  /** Whether there is nothing to play, so that signing up comes first. */
  isFirst: boolean;
}

const Welcome = ({ env, reader, isFirst }: WelcomeProps) => (
  <section class="hero">
    <h1>{siteWords(env)}</h1>
    <p class="lead">
      Upload your tracks in full quality, listen to others without interruption, and follow the people whose
      sound you like.
    </p>
    {offersSignUp(env) ? (
      <p class="actions">
        <a class={isFirst ? "button" : "button quiet"} href={signUpUrl(env, reader)} data-turbo="false">
          Create an account
        </a>
      </p>
    ) : (
      <p>
        <WhoMaySignUp env={env} />
      </p>
    )}
  </section>
);

interface CoversProps {
  title: string;
  label: string;
  tracks: Track[];
  /** The page with all of them. */
  more: string;
}

const Covers = ({ title, label, tracks, more }: CoversProps) =>
  tracks.length === 0 ? null : (
    <section>
      <header class="page-head">
        <h2>{title}</h2>
        <a href={more}>
          More<span class="sr-only"> {label.toLowerCase()}</span>
        </a>
      </header>
      <Cards label={label}>
        {tracks.map((track) => (
          <TrackCard track={track} />
        ))}
      </Cards>
    </section>
  );

/** The next step after looking around. */
const Invitation = ({ env, reader, isFirst }: WelcomeProps) => (
  <section class="invitation">
    <h2>{isFirst ? "Nobody has published a track yet" : `Put your sound on ${siteName(env)}`}</h2>
    <p>
      {isFirst
        ? "Yours could be the first. It stands at the top of this page as soon as it plays."
        : "An account is free. Your tracks stay private until you make them public."}
    </p>
    {offersSignUp(env) && (
      <p class="actions">
        <a class="button quiet" href={signUpUrl(env, reader)} data-turbo="false">
          Upload your first track
        </a>
      </p>
    )}
  </section>
);
