import type { Chapter } from "../../../../db/schema/podcasts.ts";
import type { Env } from "../../../lib/http/env.ts";
import { apiUrl } from "../../../lib/http/links.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { clock } from "../../../ui/words.ts";
import { momentPath } from "../rows/paging.tsx";

interface ChapterListProps {
  env: Env;
  reader: Reader;
  chapters: Chapter[];
}

/** A track's chapters. Each plays from its beginning; `podcast.client.ts` marks the present one. */
export const ChapterList = ({ env, reader, chapters }: ChapterListProps) => (
  <section class="chapters" id="chapters" aria-labelledby="chapters-heading">
    <h2 id="chapters-heading">Chapters</h2>
    <ol>
      {chapters
        .filter(({ toc }) => toc !== false)
        .map(({ start, title, url, img }) => (
          <li>
            <a class="chapter" href={momentPath(reader, Math.floor(start / 1_000))} data-at={String(start)}>
              {isOurs(env, img) && (
                <img class="row-picture" src={img} width="40" height="40" alt="" loading="lazy" />
              )}
              <span class="chapter-time">{clock(start)}</span>{" "}
              <span class="chapter-title" dir="auto">
                {title ?? "Chapter"}
              </span>
            </a>
            {url && " "}
            {url && (
              <a class="chapter-link" href={url} rel="ugc nofollow noopener">
                {URL.parse(url)?.host ?? "Link"}
              </a>
            )}
          </li>
        ))}
    </ol>
  </section>
);

/** Pictures of other hosts would tell them who looks, so the site's policy loads none. */
const isOurs = (env: Env, img: string | undefined): boolean =>
  img?.startsWith(apiUrl(env, "/images/")) ?? false;
