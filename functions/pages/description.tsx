/** The HTML was sanitized when it was written. */
export const Description = ({ html }: { html: string }) => (
  <div class="description" dangerouslySetInnerHTML={{ __html: html }} />
);
