import { Apart } from "../../../ui/apart.tsx";

interface SubscribeProps {
  /** Address of the feed. That of a private show holds its secret. */
  feed: string;
  title: string;
  isPrivate: boolean;
}

/** Opens the show in podcast programs, by the schemes that they publish. `share.ts` adds the button that copies. */
export const Subscribe = ({ feed, title, isPrivate }: SubscribeProps) => (
  <section class="subscribe" aria-labelledby="subscribe-heading">
    <h2 id="subscribe-heading">Subscribe</h2>
    <div class="acts">
      <Apart>
        {programs(feed, title, isPrivate).map(({ name, href }) => (
          <a class="act" href={href} rel="nofollow noopener" data-turbo="false">
            {name}
          </a>
        ))}
        <details class="share">
          <summary class="act">RSS</summary>
          <share-panel class="share-panel">
            <label>
              {isPrivate
                ? "The show's secret address, for any podcast program: whoever has it can listen"
                : "For any podcast program"}
              <input class="share-text" readonly value={feed} />
            </label>
            <a href={feed} data-turbo="false" type="application/rss+xml">
              Open the feed
            </a>
          </share-panel>
        </details>
      </Apart>
    </div>
  </section>
);

/** The web page of AntennaPod would learn a private feed's secret, so its scheme is used there. */
function programs(feed: string, title: string, isPrivate: boolean) {
  const bare = feed.replace(/^https?:\/\//, "");
  const [url, named] = [encodeURIComponent(feed), encodeURIComponent(title)];
  return [
    { name: "Apple Podcasts", href: `podcast://${bare}` },
    { name: "Pocket Casts", href: `pktc://subscribe/${bare}` },
    { name: "Overcast", href: `overcast://x-callback-url/add?url=${url}` },
    {
      name: "AntennaPod",
      href: isPrivate
        ? `antennapod-subscribe://${bare}`
        : `https://antennapod.org/deeplink/subscribe?url=${url}&title=${named}`,
    },
  ];
}
