import type { SiteComment } from "../../db/queries/site-pages.ts";
import type { TrackRow } from "../../db/queries/tracks.ts";
import type { Preview } from "../embed/preview.ts";
import { inFormat } from "../embed/representation.ts";
import type { Env } from "../http/env.ts";
import { webUrl } from "../http/links.ts";
import type { Reader } from "../site/bar.tsx";
import { Page } from "../site/layout.tsx";
import { type Encoding, representTrack, type Track } from "../tracks/representation.ts";
import { secretHashOf } from "../tracks/secret.ts";
import { isPlayable } from "../tracks/streams.ts";
import { ActButton } from "./act-button.tsx";
import { SiteHead } from "./head.tsx";
import { sourcesOf } from "./sources.ts";
import { Attribution, Facts } from "./track-facts.tsx";
import { TrackPlayer } from "./track-player.tsx";
import { Description } from "./tracks-page.tsx";

interface TrackPageProps {
  env: Env;
  row: TrackRow;
  shown: Preview;
  comments: SiteComment[];
  /** The secret token that opened a private track. */
  secret: string | undefined;
  reader: Reader;
}

export const TrackPage = ({ env, row, shown, comments, secret, reader }: TrackPageProps) => {
  const track = representTrack(env, row);
  const isPrivate = track.sharing === "private";
  const plays = isPlayable(row);
  const listener = { userId: reader.userId ?? null, secretHash: secretHashOf(secret) };
  return (
    <Page
      env={env}
      reader={reader}
      title={`${track.title} by ${track.metadata_artist} · Soundpost`}
      head={<Head env={env} shown={shown} secret={secret} waits={!plays && track.state === "processing"} />}
    >
      <article class="card track">
        <header class="track-head">
          <img class="artwork" src={inFormat(shown.picture, "t300x300")} width="96" height="96" alt="" />
          <div>
            <p class="eyebrow">
              {track.track_type ?? "track"}
              {isPrivate && <span class="badge">Private link</span>}
              {track.state === "finished" && track.access === "preview" && <span class="badge">Preview</span>}
            </p>
            <h1>{track.title}</h1>
            <p class="artist">{track.metadata_artist}</p>
          </div>
        </header>
        {plays ? (
          <TrackPlayer
            sources={sourcesOf(env, row, listener, secret)}
            secret={isPrivate ? secret : undefined}
            comments={comments}
          />
        ) : (
          <Unplayable track={track} />
        )}
        <Acts env={env} track={track} reader={reader} />
        {track.encoding && <OwnersNotice encoding={track.encoding} state={track.state} />}
        {track.description && <Description html={track.description} />}
        <Facts track={track} createdAt={row.created_at} />
        <Attribution track={track} home={webUrl(env, "/")} />
      </article>
    </Page>
  );
};

const Acts = ({ env, track, reader }: { env: Env; track: Track; reader: Reader }) => {
  const { id, user_favorite: likes } = track;
  return (
    <div class="acts">
      <ActButton
        {...{ env, reader, id }}
        act={likes ? "unlike-track" : "like-track"}
        pressed={likes ?? false}
      >
        {likes ? "Liked" : "Like"}
      </ActButton>
    </div>
  );
};

interface HeadProps {
  env: Env;
  shown: Preview;
  secret: string | undefined;
  /** Nothing can be played yet. */
  waits: boolean;
}

const Head = ({ env, shown, secret, waits }: HeadProps) => (
  <>
    <SiteHead env={env} shown={shown} secret={secret} />
    {waits && (
      <noscript>
        <meta http-equiv="refresh" content="15" />
      </noscript>
    )}
  </>
);

/** Takes the player's place. `waiting.js` shows the page anew once the state has changed. */
const Unplayable = ({ track }: { track: Track }) => {
  if (track.state === "processing")
    return (
      <waiting-part class="notice" data-state="processing" role="status">
        <span class="pulse" aria-hidden="true" />
        <div>
          <strong>Getting ready to play</strong>
          <p>The audio is being encoded. The player appears here when it is ready.</p>
        </div>
      </waiting-part>
    );
  if (track.state === "failed")
    return (
      <div class="notice bad" data-state="failed">
        <div>
          <strong>This track cannot be played</strong>
          <p>Its file could not be encoded.</p>
        </div>
      </div>
    );
  return (
    <div class="notice" data-state="blocked">
      <div>
        <strong>Not available to you</strong>
        <p>The uploader does not offer this track for streaming, or not in your country.</p>
      </div>
    </div>
  );
};

/** Tells the owner why encoding failed, or what is wrong with a file that plays nevertheless. */
const OwnersNotice = ({ encoding, state }: { encoding: Encoding; state: Track["state"] }) => {
  const { reason, warnings } = encoding;
  const said = state === "failed" && reason ? [reason] : warnings;
  if (said.length === 0) return null;
  return (
    <div class="notice bad">
      <div>
        <strong>{state === "failed" ? "Why this track failed" : "Something is wrong with this file"}</strong>
        {said.map(({ message }) => (
          <p>{message}</p>
        ))}
        <p>Only you can see this.</p>
      </div>
    </div>
  );
};
