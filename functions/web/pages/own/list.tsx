import type { Child } from "hono/jsx";
import { Apart } from "../../../ui/apart.tsx";

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
    <nav class="own-tabs" aria-label="Yours">
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

type EditOrDeleteProps = { title: string; editHref: string; deleteHref: string };

export const EditOrDelete = ({ title, editHref, deleteHref }: EditOrDeleteProps) => (
  <Apart>
    <a class="act" href={editHref} aria-label={`Edit ${title}`}>
      Edit
    </a>
    <a class="act" href={deleteHref} aria-label={`Delete ${title}`}>
      Delete
    </a>
  </Apart>
);
