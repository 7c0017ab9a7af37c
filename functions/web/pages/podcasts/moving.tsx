import type { ImportEpisode, PodcastImport } from "../../../api/imports/representation.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { EMPTY, Field, Form, type FormState } from "../../../ui/form.tsx";
import { number } from "../../../ui/words.ts";
import { More } from "../rows/paging.tsx";

/** Parts of the page of a podcast that moves in. */

interface OfImport {
  moving: PodcastImport;
  /** Token for all forms of the page. */
  token: string;
}

export const pathOf = ({ id }: Pick<PodcastImport, "id">): string => `/you/podcasts/move/${id}`;

/** `1.5 GB`, `36 MB`: in units that people compare with a quota. */
const size = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 2 ** 20))} MB`;

const plural = (count: number, one: string, more: string): string =>
  `${number(count)} ${count === 1 ? one : more}`;

/** Number of episodes that are not left out. */
const comingIn = ({ episodes: { left_out: _, ...others } }: PodcastImport): number =>
  Object.values(others).reduce((sum, count) => sum + count, 0);

export const Facts = ({ moving }: { moving: PodcastImport }) => {
  const { left_out } = moving.episodes;
  const coming = comingIn(moving);
  return (
    <dl class="facts">
      <dt>From</dt>
      <dd>
        <bdi>{moving.feed_url}</bdi>
      </dd>
      <dt>To import</dt>
      <dd>
        {plural(coming, "episode", "episodes")}
        {moving.bytes > 0 && `, ${size(moving.bytes)} according to the feed`}
      </dd>
      {left_out > 0 && (
        <>
          <dt>Left out</dt>
          <dd>{plural(left_out, "episode", "episodes")}, for the reason given below</dd>
        </>
      )}
      <dt>GUID</dt>
      <dd>{moving.guid ?? "None in the feed: it is given one here"}</dd>
    </dl>
  );
};

/** Asks for the proof that a podcast is the reader's. */
export const Proof = ({ moving, token, state }: OfImport & { state: FormState }) => {
  const path = pathOf(moving);
  const isOfFeed = moving.owner_email === null || state.values.in_feed !== undefined;
  const [ofCode, ofText] = isOfFeed ? [EMPTY, inSentences(state, moving)] : [state, EMPTY];
  if (moving.locked)
    return (
      <section class="card">
        <h2>The podcast is locked</h2>
        <p>
          Its feed asks other hosts not to import it (<code>podcast:locked</code>). Unlock it in the settings
          of its present host, then read the feed again.
        </p>
        <p>
          <a class="button" href="/you/podcasts/move">
            Read it again
          </a>
        </p>
      </section>
    );
  return (
    <section class="card">
      <h2>Is it yours?</h2>
      {moving.owner_email !== null && (
        <>
          <p>
            The feed names <bdi>{moving.owner_email}</bdi> as its owner's address. We mailed a code there.
          </p>
          <Form name="code" action={path} token={token} state={ofCode} labels={LABELS} submit="Move it here">
            <Field
              form="code"
              state={ofCode}
              name="code"
              label={LABELS.code}
              maxlength={40}
              autocomplete="one-time-code"
            />
          </Form>
        </>
      )}
      <h3>{moving.owner_email === null ? "We mailed no code" : "No access to that address?"}</h3>
      <p>
        Put this text into the feed's description, or into <code>{'<podcast:txt purpose="verify">'}</code>, at
        its present host:
      </p>
      <copy-text>
        <code class="proof">{moving.proof_text}</code>
      </copy-text>
      <Form
        name="feed"
        kind="quiet"
        action={path}
        token={token}
        state={ofText}
        hidden={{ in_feed: "yes" }}
        submit="It is in the feed"
      />
    </section>
  );
};

const LABELS = { code: "The code" };

/** The form of the text has no field, so it shows the API's error of a missing code as one about the text. */
function inSentences({ values, problems }: FormState, { proof_text }: PodcastImport): FormState {
  const { code, feed_url, ...others } = problems;
  const said = code ? `The feed does not hold ${proof_text} yet` : feed_url && `Its address ${feed_url}`;
  return { values, problems: { ...others, ...(said && { "": said }) } };
}

const HEADS: Record<PodcastImport["state"], string> = {
  preview: "Not confirmed as yours yet",
  running: "Moving in",
  done: "Moved in",
  cancelled: "Stopped",
};

export const headOf = ({ state, playlist_removed }: PodcastImport): string =>
  state === "running" && playlist_removed ? "On hold" : HEADS[state];

export const Progress = ({ moving, token }: OfImport) => {
  const { waiting, fetching, encoding, failed, done: here } = moving.episodes;
  const all = comingIn(moving);
  return (
    <section class="card" data-state={moving.state}>
      <h2>{moving.state === "done" && failed > 0 ? "Moved in, except what failed" : headOf(moving)}</h2>
      <progress max={all} value={here} aria-label="Episodes that are here" />
      <p>
        {[
          `${number(here)} of ${plural(all, "episode", "episodes")} here`,
          encoding > 0 && `${number(encoding)} encoding`,
          fetching + waiting > 0 && `${number(fetching + waiting)} to fetch`,
          failed > 0 && `${number(failed)} failed`,
        ]
          .filter(Boolean)
          .join(", ")}
        .
      </p>
      {moving.playlist_removed ? (
        <p>
          The podcast was removed here: only you see its page, and its feed is closed.{" "}
          {moving.state === "running" && "Nothing more is fetched until it is restored. "}
          <a href="/you/removals">Read why, and answer</a>
        </p>
      ) : (
        moving.state === "running" && (
          <p class="hint">You can leave this page: the move goes on without it.</p>
        )
      )}
      {moving.state === "running" && (
        <Form name="stop" kind="quiet" action={`${pathOf(moving)}/stop`} token={token} submit="Stop" />
      )}
      {moving.playlist_url && (
        <p>
          <a href={new URL(moving.playlist_url).pathname}>The podcast's page</a>
        </p>
      )}
    </section>
  );
};

/** Says what remains to do at the old host. */
export const WhatNext = ({ feed }: { feed: string }) => (
  <section class="card">
    <h2>Bring your subscribers along</h2>
    <ol>
      <li>Listen to an episode or two here, and look at the podcast's page.</li>
      <li>
        At the old host, redirect the feed to its new address (“301 redirect”), or enter that as the new feed
        URL:{" "}
        <copy-text>
          <code class="proof">{feed}</code>
        </copy-text>
      </li>
      <li>Keep the old feed and its redirect for two months, because some programs look rarely.</li>
    </ol>
    <p class="hint">
      Episodes keep their GUIDs and dates, so no program downloads them again. Should you ever move away, the
      podcast's settings here have the same redirect.
    </p>
  </section>
);

const STATES: Record<ImportEpisode["state"], string> = {
  waiting: "Waiting",
  fetching: "Fetching",
  encoding: "Encoding",
  done: "Imported",
  failed: "Failed",
  left_out: "Left out",
  cancelled: "Not fetched",
};

const stateOf = ({ state, progress }: ImportEpisode): string =>
  progress && progress < 1 && state !== "waiting"
    ? `${STATES[state]}: ${Math.floor(progress * 100)}%`
    : STATES[state];

interface EpisodesProps extends OfImport {
  reader: Reader;
  episodes: ImportEpisode[];
  next: string | undefined;
}

export const Episodes = ({ moving, token, reader, episodes, next }: EpisodesProps) => (
  <section class="card">
    <h2>Episodes</h2>
    <ul class="moving-episodes">
      {episodes.map((episode) => (
        <li data-state={episode.state}>
          <div>
            <strong>
              {episode.track_url ? (
                <a href={new URL(episode.track_url).pathname}>
                  <bdi>{episode.title}</bdi>
                </a>
              ) : (
                <bdi>{episode.title}</bdi>
              )}
            </strong>
            <p class="hint">
              {episode.published_at && <Day at={episode.published_at} />}
              {episode.size !== null && episode.size > 2 ** 20 && ` · ${size(episode.size)}`}
            </p>
            {episode.reason && <p class="hint">{episode.reason.message}</p>}
          </div>
          <span class="moving-state">{stateOf(episode)}</span>
          {episode.state === "failed" && episode.track_id === null && (
            <Form
              name={`retry-${episode.id}`}
              kind="quiet"
              action={`${pathOf(moving)}/episodes/${episode.id}/retry`}
              token={token}
              submit="Retry"
            />
          )}
        </li>
      ))}
    </ul>
    <More reader={reader} next={next} />
  </section>
);
