import { type LinkTargets, linkedHtml } from "../../../lib/text/text-links.ts";

interface SanitizedTextProps {
  class: "description" | "comment-text";
  /** Sanitized when it was written. Without tags it is text, whose line breaks are kept. */
  html: string;
  targets: LinkTargets;
}

/** Words of a user, with links. */
export const SanitizedText = ({ class: name, html, targets }: SanitizedTextProps) => (
  <div
    class={html.includes("<") ? name : `${name} plain`}
    dangerouslySetInnerHTML={{ __html: linkedHtml(html, targets) }}
  />
);
