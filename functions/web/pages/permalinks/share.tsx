import type { Env } from "../../../lib/http/env.ts";
import { EmbedQuery } from "../../embed/input.ts";
import type { Preview } from "../../embed/preview.ts";
import { representEmbed } from "../../embed/representation.ts";
import { IconWords } from "../acts/icon-words.tsx";
import { addressOf, feedOf } from "./head.tsx";

interface ShareProps {
  env: Env;
  shown: Preview;
  /** The private link's token, if the page may pass it on. */
  secret: string | undefined;
  /** Whether an operator removed it. Only its owner sees the page then. */
  isRemoved?: boolean;
  /** Whether the URL can have a playback position. */
  hasMoments?: boolean;
}

/** URLs to share. `share.ts` adds copy buttons, `page-moments.ts` the current playback position. */
export const Share = ({ env, shown, secret, isRemoved = false, hasMoments = false }: ShareProps) => {
  const address = addressOf(shown, secret);
  const opens = !isRemoved && (!shown.private || secret !== undefined);
  // A track has no feed of its own. The profile offers its user's.
  const feed = shown.kind === "track" || isRemoved ? undefined : feedOf(shown, secret);
  return (
    <details class="share">
      <summary class="act">
        <IconWords icon="share" words="Share" />
      </summary>
      <share-panel class="share-panel">
        {opens ? (
          <label>
            {shown.private ? "Private link: whoever has it can listen" : "Link"}
            <input class="share-text" readonly value={address} data-address={address} />
          </label>
        ) : (
          <p>
            {isRemoved
              ? "This was removed, so no link opens it for others."
              : "This is private. Its owner can give you a link to pass on."}
          </p>
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
