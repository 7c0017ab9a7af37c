import type { Child } from "hono/jsx";

/** An item of a grid: a picture of 180 pixels, and words below it. Belongs in `Cards`. */
interface CardProps {
  href: string;
  title: string;
  /** A `Cover` or an `Avatar`. */
  picture: Child;
  /** The line below the title. */
  by?: Child;
  /** Plays from the picture. */
  play?: Child;
  acts?: Child;
}

export const Card = ({ href, title, picture, by, play, acts }: CardProps) => (
  <li class="tile">
    <div class="tile-cover">
      {picture}
      {play}
    </div>
    <p class="tile-title">
      <a href={href}>{title}</a>
    </p>
    {by && <div class="tile-by">{by}</div>}
    {acts && <div class="tile-acts">{acts}</div>}
  </li>
);

interface CardsProps {
  /** Names the list for screen readers. */
  label: string;
  children?: Child;
}

/** A grid, which is one line that scrolls on a phone. Playing one of its tracks enqueues them all. */
export const Cards = ({ label, children }: CardsProps) => (
  <ul class="tiles" aria-label={label} data-queue>
    {children}
  </ul>
);
