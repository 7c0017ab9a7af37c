import type { Child } from "hono/jsx";
import type { Covered } from "../../embed/covers.ts";
import { Cover } from "../rows/cover.tsx";

interface HeadingProps {
  of: Covered;
  title: string;
  /** Kind and badges. */
  eyebrow: Child;
  /** The lines and actions below the title. */
  children: Child;
  /** Lies across the page below both, such as a waveform. */
  below?: Child;
}

/** The head of a track's or set's page: its picture, and the words beside it. */
export const Heading = ({ of, title, eyebrow, children, below }: HeadingProps) => (
  <header class="record-head">
    <Cover of={of} size="lead" />
    <div class="record-words">
      <p class="eyebrow">{eyebrow}</p>
      <h1>{title}</h1>
      {children}
    </div>
    {below}
  </header>
);
