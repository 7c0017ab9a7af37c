import type { Child } from "hono/jsx";
import { Apart } from "../../../ui/apart.tsx";
import { Icon } from "../../../ui/icons.tsx";

const PAGES = [
  ["/you/tracks", "Tracks"],
  ["/you/sets", "Sets"],
] as const;

/** Heading and tabs of the reader's own lists. */
export const OwnHead = ({ title, here, children }: { title: string; here: string; children?: Child }) => (
  <>
    <header class="own-head">
      <h1>{title}</h1>
      <div class="own-actions">{children}</div>
    </header>
    <nav class="tabs" aria-label="Yours">
      <ul>
        {PAGES.map(([path, name]) => (
          <li>
            <a href={path} aria-current={path === here ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  </>
);

interface OwnActsProps {
  title: string;
  editHref: string;
  /** The row's "…". */
  children?: Child;
}

/** At the end of a row of the owner's. */
export const OwnActs = ({ title, editHref, children }: OwnActsProps) => (
  <Apart>
    <a class="act" href={editHref} aria-label={`Edit ${title}`} title="Edit">
      <Icon name="edit" />
    </a>
    {children}
  </Apart>
);
