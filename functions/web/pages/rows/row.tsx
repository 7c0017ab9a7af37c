import type { Child } from "hono/jsx";
import { number } from "../../../ui/words.ts";
import { inFormat } from "../../embed/representation.ts";

/** An item of a list: picture, text and actions. Belongs in `Rows`. */
interface RowProps {
  href: string;
  title: string;
  /** Undefined: an empty square. */
  picture: string | undefined;
  round?: boolean;
  /** A line above the title, such as who reposted it. */
  note?: Child;
  badge?: string | undefined;
  /** The line below the title. */
  by?: Child;
  facts?: Child;
  /** Shown on the picture. */
  play?: Child;
  acts?: Child;
}

export const Row = ({ href, title, picture, round, note, badge, by, facts, play, acts }: RowProps) => (
  <li class="row">
    {picture === undefined ? (
      <span class="row-picture" />
    ) : (
      <img
        class={round ? "row-picture round" : "row-picture"}
        src={inFormat(picture, "large")}
        width="64"
        height="64"
        alt=""
        loading="lazy"
      />
    )}
    {play && <div class="row-play">{play}</div>}
    <div class="row-words">
      {note && <p class="row-note">{note}</p>}
      <p class="row-title">
        <a href={href}>{title}</a>
        {badge && <span class="badge">{badge}</span>}
      </p>
      {by && <div class="row-by">{by}</div>}
      {facts && <ul class="row-facts">{facts}</ul>}
    </div>
    {acts && <div class="row-acts">{acts}</div>}
  </li>
);

interface RowsProps {
  /** Names the list for screen readers. */
  label: string;
  children?: Child;
}

/** A list. Playing one of its tracks enqueues them all. */
export const Rows = ({ label, children }: RowsProps) => (
  <ul class="rows" aria-label={label} data-queue>
    {children}
  </ul>
);

/** Renders nothing for a count that is hidden or zero. */
export const Tally = ({ of, one, many }: { of: number | null; one: string; many: string }) =>
  of ? (
    <li>
      {number(of)} {of === 1 ? one : many}
    </li>
  ) : null;
