import type { Child } from "hono/jsx";
import type { Env } from "../../../lib/http/env.ts";
import { apiUrl, webUrl } from "../../../lib/http/links.ts";
import { Icon, type IconName } from "../../../ui/icons.tsx";
import type { Leading } from "./lead.tsx";

/** The level that players turn loud tracks down to, as `assets/player/loudness.ts` does. */
const LEVEL_LUFS = -18;

interface PromisesProps {
  env: Env;
  /** Shows them by example. */
  lead: Leading | undefined;
}

/** Shows how the service is better, each point with something to try. */
export const Promises = ({ env, lead }: PromisesProps) => {
  const artist = lead?.tracks[0].user;
  const shown = lead?.set ?? lead?.tracks[0];
  const page = shown?.embeddable_by === "all" ? shown.permalink_url : undefined;
  return (
    <section aria-labelledby="promises">
      <h2 class="sr-only" id="promises">
        What is better here
      </h2>
      <ul class="promises">
        <Advantage icon="upload" title="Hear it at once">
          <p>A track plays from its first seconds on, while the rest is still being encoded.</p>
          <p>
            <a href={webUrl(env, "/upload")}>Try it with a file of yours</a>
          </p>
        </Advantage>
        <Advantage icon="speaker" title="Equally loud">
          <p>
            Players turn loud tracks down to one level, so that no track shouts. Quiet music stays as it is.
          </p>
          <Loudness env={env} lead={lead} />
        </Advantage>
        <Advantage icon="download" title="Yours to keep">
          <p>You get back each file as you uploaded it, and everything about it in one download.</p>
          <p>
            {artist ? (
              <a href={`${artist.permalink_url}/feed.xml`} data-turbo="false">
                The feed of {artist.username}
              </a>
            ) : (
              <a href={apiUrl(env, "/docs/feeds")}>Everybody has a feed</a>
            )}
            {artist && ", for any podcast app"}
          </p>
        </Advantage>
        <Advantage icon="share" title="Open to programs">
          <p>All that this site does, your program can do by the same API.</p>
          <p>
            <a href={apiUrl(env, "/docs")}>Read and try it</a>
            {page && (
              <>
                {" or see "}
                <a href={apiUrl(env, `/oembed?${new URLSearchParams({ format: "json", url: page })}`)}>
                  a first reply
                </a>
              </>
            )}
          </p>
        </Advantage>
      </ul>
    </section>
  );
};

const Advantage = ({ icon, title, children }: { icon: IconName; title: string; children: Child }) => (
  <li class="promise">
    <Icon name={icon} />
    <h3>{title}</h3>
    {children}
  </li>
);

/** Shows the effect on the loudest of the tracks that lead. */
const Loudness = ({ env, lead }: PromisesProps) => {
  const measured = (lead?.tracks ?? []).flatMap(({ title, loudness }) =>
    loudness?.integrated == null ? [] : [{ title, lufs: loudness.integrated }],
  );
  const [loudest] = measured.sort((one, other) => other.lufs - one.lufs);
  if (!loudest)
    return (
      <p>
        <a href={apiUrl(env, "/docs/reference/tracks")}>Each track tells its loudness</a>
      </p>
    );
  const down = loudest.lufs - LEVEL_LUFS;
  return (
    <p>
      <cite>{loudest.title}</cite> has {inWords(loudest.lufs)} LUFS and plays{" "}
      {down > 0 ? `${down.toFixed(1)} dB quieter` : "as it is"}.
    </p>
  );
};

const inWords = (lufs: number): string => lufs.toFixed(1).replace("-", "−");
