import { actOnDeadLetter, type DeadLetter, listDeadLetters } from "../../../../db/queries/operations.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { Entry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute } from "./words.ts";

export const deadLetterPages = new Routes({ renderError: showAdminError });

deadLetterPages.page("/admin/dead-letters", async (c) =>
  showList(c, {
    title: "Dead letters",
    section: "/admin/dead-letters",
    hint: "Messages that their queue gave up. They are kept for 30 days.",
    rows: await listDeadLetters(c.var.db, readerAsOperator(c), { before: beforeIn(c), limit: ROWS }),
    idOf: ({ id }) => id,
    empty: "There are none.",
    row: (letter, acting) => <LetterRow letter={letter} acting={acting} />,
  }),
);

for (const act of ["retry", "drop"] as const)
  deadLetterPages.form(`/admin/dead-letters/:id/${act}`, async (c) => {
    const { by, page } = await readAct(c);
    const { outcome } = await actOnDeadLetter(c.var.db, by, act, idIn(c));
    return outcome === "done" ? seeOther(c, page) : refuse("letter", outcome);
  });

const QUEUES: Record<DeadLetter["queue"], string> = {
  jobs: "An encoding job",
  plays: "A play",
  webhooks: "A webhook delivery",
  mails: "A mail",
  unknown: "Nothing that we know",
};

const LetterRow = ({ letter, acting }: { letter: DeadLetter; acting: Acting }) => {
  const path = `/admin/dead-letters/${letter.id}`;
  const of = `${QUEUES[letter.queue]} of ${minute(letter.created_at)}`;
  return (
    <Entry
      title={QUEUES[letter.queue]}
      lines={[
        `Given up ${minute(letter.created_at)}`,
        letter.retry_at !== null && "It is sent again within a minute.",
        <code>{JSON.stringify(letter.body)}</code>,
      ]}
    >
      {letter.queue !== "unknown" && letter.retry_at === null && (
        <ActForm acting={acting} action={`${path}/retry`} label="Send again" of={of} />
      )}
      <ActForm acting={acting} action={`${path}/drop`} label="Drop" of={of} reason="optional" kind="danger" />
    </Entry>
  );
};
