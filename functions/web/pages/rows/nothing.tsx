import type { Child } from "hono/jsx";

interface NothingProps {
  /** Why nothing is here. */
  children: Child;
  /** The next step: its address, and the words on its button. */
  step: readonly [href: string, words: string];
}

/** Stands in the place of an empty list, for the person who can fill it. */
export const Nothing = ({ children, step: [href, words] }: NothingProps) => (
  <div class="empty">
    <p>{children}</p>
    <p class="actions">
      <a class="button" href={href}>
        {words}
      </a>
    </p>
  </div>
);
