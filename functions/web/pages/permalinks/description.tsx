/** The HTML was sanitized when it was written. Without tags it is text, whose line breaks are kept. */
export const Description = ({ html }: { html: string }) => (
  <div
    class={html.includes("<") ? "description" : "description plain"}
    dangerouslySetInnerHTML={{ __html: html }}
  />
);
