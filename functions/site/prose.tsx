/** Renders sentences in which `backticks` mark code. */
export const Prose = ({ text }: { text: string }) => (
  <p>{text.split("`").map((part, index) => (index % 2 ? <code>{part}</code> : part))}</p>
);
