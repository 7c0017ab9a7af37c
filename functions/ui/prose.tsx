/** Renders sentences in which `backticks` mark code. */
export const Prose = ({ text }: { text: string }) => (
  <p>
    <Sentence text={text} />
  </p>
);

/** The same within another element. */
export const Sentence = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, index) => (index % 2 ? <code>{part}</code> : part))}</>
);
