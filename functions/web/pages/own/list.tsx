import type { Child } from "hono/jsx";
import { Apart } from "../../../ui/apart.tsx";
import { IconWords } from "../acts/icon-words.tsx";

const PAGES = [
  ["/you/tracks", "Tracks"],
  ["/you/sets", "Sets"],
  ["/you/insights", "Insights"],
] as const;

/** Heading and tabs of the reader's own lists. */
export const OwnHead = ({ title, here, children }: { title: string; here: string; children?: Child }) => (
  <>
    <header class="own-head">
      <h1>{title}</h1>
      <div class="own-actions">{children}</div>
    </header>
    <nav class="tabs" aria-label="Yours">
      <Apart>
        {PAGES.map(([path, name]) => (
          <a href={path} aria-current={path === here ? "page" : undefined}>
            {name}
          </a>
        ))}
      </Apart>
    </nav>
  </>
);

interface OwnActsProps {
  title: string;
  editHref: string;
  /** The row's "…". */
  children?: Child;
}

/** Shown at the end of a row of the owner's. */
export const OwnActs = ({ title, editHref, children }: OwnActsProps) => (
  <Apart>
    <a class="act" href={editHref} aria-label={`Edit ${title}`}>
      <IconWords icon="edit" words="Edit" />
    </a>
    {children}
  </Apart>
);
