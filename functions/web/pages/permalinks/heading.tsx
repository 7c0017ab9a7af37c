import type { Child } from "hono/jsx";
import { inFormat } from "../../embed/representation.ts";

interface HeadingProps {
  /** The artwork's URL in any format. */
  picture: string;
  title: string;
  /** Kind and badges. */
  eyebrow: Child;
  /** The lines and actions below the title. */
  children: Child;
  /** Lies across the page below both, such as a waveform. */
  below?: Child;
}

/** The head of a track's or set's page: its picture, and the words beside it. */
export const Heading = ({ picture, title, eyebrow, children, below }: HeadingProps) => (
  <header class="record-head">
    <img
      class="record-cover"
      src={inFormat(picture, "t500x500")}
      width="320"
      height="320"
      alt=""
      fetchpriority="high"
    />
    <div class="record-words">
      <p class="eyebrow">{eyebrow}</p>
      <h1>{title}</h1>
      {children}
    </div>
    {below}
  </header>
);
