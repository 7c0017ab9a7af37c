import type { Child } from "hono/jsx";
import { number } from "../../../ui/words.ts";

/** An item of a list: picture, text and actions on one dense line. Belongs in `Rows`. */
interface RowProps {
  href: string;
  title: string;
  /** A box that selects it. */
  mark?: Child;
  /** A `Cover` or an `Avatar`. */
  picture: Child;
  /** Its place in a record, shown instead of the picture. */
  place?: number | undefined;
  /** A line above the title, such as who reposted it. */
  note?: Child;
  badge?: string | undefined;
  /** The line below the title. */
  by?: Child;
  /** Columns of figures. The last stays on a phone. */
  facts?: Child;
  /** Plays from the picture or the number. */
  play?: Child;
  acts?: Child;
}

export const Row = ({ href, title, mark, picture, place, note, badge, by, facts, play, acts }: RowProps) => (
  <li class="row">
    {mark}
    <div class="row-cover">
      {place === undefined ? picture : <span class="row-place">{place}</span>}
      {play}
    </div>
    <div class="row-words">
      {note && <p class="row-note">{note}</p>}
      <p class="row-title">
        <a href={href}>{title}</a>
        {badge && <span class="badge">{badge}</span>}
      </p>
      {by && <div class="row-by">{by}</div>}
    </div>
    {facts && <ul class="row-facts">{facts}</ul>}
    {acts && <div class="row-acts">{acts}</div>}
  </li>
);

interface RowsProps {
  /** Names the list for screen readers. */
  label: string;
  /** Set if the rows have places. */
  isNumbered?: boolean;
  children?: Child;
}

/** A list. Playing one of its tracks enqueues them all. */
export const Rows = ({ label, isNumbered, children }: RowsProps) => {
  const List = isNumbered ? "ol" : "ul";
  return (
    <List class="rows" aria-label={label} data-queue>
      {children}
    </List>
  );
};

/** Renders nothing for a count that is hidden or zero. */
export const Tally = ({ of, one, many }: { of: number | null; one: string; many: string }) =>
  of ? (
    <li>
      {number(of)} {of === 1 ? one : many}
    </li>
  ) : null;
