import { Apart } from "../../site/apart.tsx";
import type { Reader } from "../../site/bar.tsx";
import { pathWith } from "./paging.tsx";

interface ListNavProps {
  reader: Pick<Reader, "path">;
  /** The place after which the next part begins; null at the end. */
  next: number | null;
  /** Leads to the list on the page. */
  anchor?: string;
  /** Names what is listed. */
  label: string;
}

/** Leads on in a permalink page's list, and back to its beginning. */
export const ListNav = ({ reader: { path }, next, anchor = "", label }: ListNavProps) => {
  const isFirst = !/[?&]cursor=/.test(path);
  if (next === null && isFirst) return null;
  return (
    <nav class="paging" aria-label={label}>
      <Apart>
        {!isFirst && (
          <a class="button quiet" href={pathWith(path, {}) + anchor}>
            Back to the beginning
          </a>
        )}
        {next !== null && (
          <a class="button quiet" rel="next" href={pathWith(path, { cursor: String(next) }) + anchor}>
            More
          </a>
        )}
      </Apart>
    </nav>
  );
};
