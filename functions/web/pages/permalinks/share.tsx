import type { Env } from "../../../lib/http/env.ts";
import { EmbedQuery } from "../../embed/input.ts";
import type { Preview } from "../../embed/preview.ts";
import { representEmbed } from "../../embed/representation.ts";
import { addressOf, feedOf } from "./head.tsx";

interface ShareProps {
  env: Env;
  shown: Preview;
  /** The token of a private link, if the page has one to pass on. */
  secret: string | undefined;
  /** Whether the address can lead to a moment. */
  hasMoments?: boolean;
}

/** Addresses to pass on. `share.ts` adds buttons that copy, `page-moments.ts` the moment that is playing. */
export const Share = ({ env, shown, secret, hasMoments = false }: ShareProps) => {
  const address = addressOf(shown, secret);
  const opens = !shown.private || secret !== undefined;
  // A track's feed is its user's, which the profile passes on.
  const feed = shown.kind === "track" ? undefined : feedOf(shown, secret);
  return (
    <details class="share">
      <summary class="act">Share</summary>
      <share-panel class="share-panel">
        {opens ? (
          <label>
            {shown.private ? "Private link: whoever has it can listen" : "Link"}
            <input class="share-text" readonly value={address} data-address={address} />
          </label>
        ) : (
          <p>This is private. Its owner can give you a link to pass on.</p>
        )}
        {opens && hasMoments && (
          <label class="share-moment" hidden>
            <input type="checkbox" /> Start at <span>0:00</span>
          </label>
        )}
        {feed && (
          <label>
            RSS feed, for podcast programs
            <input class="share-text" readonly value={feed} />
          </label>
        )}
        {opens && shown.embeddable_by === "all" && (
          <details>
            <summary>Embed in a page</summary>
            <label>
              HTML
              <textarea class="share-text" readonly rows={4}>
                {
                  representEmbed(
                    shown,
                    EmbedQuery.parse({ url: address }),
                    env,
                    shown.private ? secret : undefined,
                  ).html
                }
              </textarea>
            </label>
          </details>
        )}
      </share-panel>
    </details>
  );
};
