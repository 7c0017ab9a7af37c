/** Fields in which people write at length. */
const TEXTS = ["body", "description", "details"];

/** The text of a form that was refused, because the page that replaced the form has no way back to it. */
export const SentText = ({ sent = {} }: { sent: Record<string, string> | undefined }) => {
  const text = TEXTS.map((name) => sent[name]).find(Boolean);
  return text === undefined ? null : (
    <div class="entry">
      <label for="written">What you wrote, to be copied</label>
      <textarea id="written" rows={5} readonly>
        {`\n${text}`}
      </textarea>
    </div>
  );
};
