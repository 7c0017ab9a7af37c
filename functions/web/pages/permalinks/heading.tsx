import type { Child } from "hono/jsx";
import { Apart } from "../../../ui/apart.tsx";
import { inFormat } from "../../embed/representation.ts";

interface HeadingProps {
  /** The artwork's URL in any format. */
  picture: string;
  title: string;
  /** Kind and badges. */
  eyebrow: Child;
  /** The line below the title. */
  children: Child;
}

/** The head of a track's or set's page. */
export const Heading = ({ picture, title, eyebrow, children }: HeadingProps) => (
  <header class="track-head">
    <img
      class="artwork"
      src={inFormat(picture, "t300x300")}
      width="96"
      height="96"
      alt=""
      fetchpriority="high"
    />
    <div>
      <p class="eyebrow">{eyebrow}</p>
      <h1>{title}</h1>
      <div class="artist">
        <Apart>{children}</Apart>
      </div>
    </div>
  </header>
);
