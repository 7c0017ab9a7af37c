import type { Chapter } from "../../../../db/schema/podcasts.ts";
import { chapterPictureUrl } from "../../../api/images/links.ts";
import { apiUrl, type Links } from "../../../lib/http/links.ts";

interface ChapterPictureProps {
  links: Links;
  chapter: Chapter;
}

/** A chapter's picture in lists. Those of other hosts would tell them who looks, so the site's policy loads none. */
export const ChapterPicture = ({ links, chapter: { picture, img } }: ChapterPictureProps) => {
  const src = picture === undefined ? ofThisService(links, img) : chapterPictureUrl(links, picture, "large");
  return src ? <img class="row-picture" src={src} width="40" height="40" alt="" loading="lazy" /> : null;
};

const ofThisService = (links: Links, img: string | undefined): string | undefined =>
  img?.startsWith(apiUrl(links, "/images/")) ? img : undefined;
