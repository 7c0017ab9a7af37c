import { type LinkTargets, linkedHtml } from "../../../lib/text/text-links.ts";

interface DescriptionProps {
  /** Sanitized when it was written. Without tags it is text, whose line breaks are kept. */
  html: string;
  targets: LinkTargets;
}

export const Description = ({ html, targets }: DescriptionProps) => (
  <div
    class={html.includes("<") ? "description" : "description plain"}
    dangerouslySetInnerHTML={{ __html: linkedHtml(html, targets) }}
  />
);
