/** Fields for long texts. */
const TEXTS = ["body", "description", "details"];

/** The text of a refused form, because the error page has replaced the form. */
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
