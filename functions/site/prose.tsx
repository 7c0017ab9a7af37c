/** A sentence or more, in which `backticks` are code. */
export const Prose = ({ text }: { text: string }) => (
  <p>{text.split("`").map((part, index) => (index % 2 ? <code>{part}</code> : part))}</p>
);
