import type { Chapter } from "../../../../db/schema/podcasts.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { clock } from "../../../ui/words.ts";
import { momentPath } from "../rows/paging.tsx";
import { ChapterPicture } from "./chapter-picture.tsx";

interface ChapterListProps {
  env: Env;
  reader: Reader;
  /** The chapters in the table of contents. */
  chapters: Chapter[];
}

/** A track's chapters. Each plays from its beginning; `podcast.client.ts` marks the present one. */
export const ChapterList = ({ env, reader, chapters }: ChapterListProps) => (
  <section class="chapters" id="chapters" aria-labelledby="chapters-heading">
    <h2 id="chapters-heading">Chapters</h2>
    <ol class="chapter-list">
      {chapters.map((chapter) => (
        <ChapterItem env={env} reader={reader} chapter={chapter} />
      ))}
    </ol>
  </section>
);

type ItemProps = Omit<ChapterListProps, "chapters"> & { chapter: Chapter };

const ChapterItem = ({ env, reader, chapter }: ItemProps) => {
  const { start, title, url } = chapter;
  return (
    <li>
      <a class="chapter" href={momentPath(reader, Math.floor(start / 1_000))} data-at={String(start)}>
        <ChapterPicture links={env} chapter={chapter} />
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
  );
};
