import type { MiniUserRow } from "../../../../db/queries/people.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import { representMiniUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { type Reader, signInUrl } from "../../../ui/bar.tsx";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { Avatar } from "../rows/avatar.tsx";
import { pathWith } from "../rows/paging.tsx";

const MAX_CHARS = 2000;

interface ComposerProps {
  env: Env;
  reader: Reader;
  row: TrackRow;
  /** The reader, as others see them. */
  author: MiniUserRow | undefined;
  /** Set to show the form again. */
  state: FormState | undefined;
}

const LABELS = { body: "Your comment", moment: "At" };

/** One line to comment on the track, whose moment `page-moments.ts` fills in. A visitor's words are sent after the sign-in. */
export const Composer = ({ env, reader, row, author, state }: ComposerProps) => {
  if (!row.commentable) return null;
  const isVisitor = reader.userId === undefined;
  return (
    <div class="composer comment-form">
      {author && <Avatar of={representMiniUser(author, env)} size="comment" />}
      {isVisitor && (
        <noscript>
          <p>
            <a href={signInUrl(env, reader)}>Sign in</a> to comment.
          </p>
        </noscript>
      )}
      <Form
        action={pathWith(reader.path, { reply: undefined, thread: undefined })}
        token={reader.actToken}
        name="comment"
        labels={LABELS}
        state={state}
        hidden={{ track: String(row.id) }}
        submit="Comment"
        kind="quiet"
        isWanted={isVisitor}
        then="#comment-body"
        said="Your comment is there."
      >
        <Field
          form="comment"
          name="body"
          label={LABELS.body}
          placeholder="Write a comment"
          state={state}
          rows={1}
          maxlength={MAX_CHARS}
        />
        <Field
          form="comment"
          name="moment"
          label={LABELS.moment}
          placeholder="At 1:23"
          state={state}
          optional="unsaid"
          maxlength={10}
        />
      </Form>
    </div>
  );
};

/** The comment that a reply is for. */
interface Answered {
  /** The thread's first comment. */
  thread: number;
  /** The address of the page with this form, to which it is sent. */
  action: string;
  /** The author's name. */
  name: string;
  /** The words that it begins with. */
  begin: string;
}

interface ReplyFormProps {
  reader: Reader;
  row: TrackRow;
  answered: Answered;
  /** The page to return to. */
  next: string;
  state?: FormState | undefined;
}

/** The form for a reply, below its thread. `composers.ts` fills in `answered` for the one that it opens in place. */
export const ReplyForm = ({ reader, row, answered, next, state }: ReplyFormProps) => {
  const label = `Your reply to ${answered.name}`;
  return (
    <div class="composer reply-form" id="reply">
      <Form
        action={answered.action}
        token={reader.actToken}
        name="reply"
        labels={{ body: "Your reply" }}
        state={state}
        hidden={{ track: String(row.id), next }}
        submit="Reply"
        kind="quiet"
        then={`#comment-${answered.thread} .replies > :last-child`}
        said="Your reply is there."
      >
        <Field
          form="reply"
          name="body"
          label={label}
          placeholder={label}
          state={state ?? { values: { body: answered.begin }, problems: {} }}
          rows={1}
          maxlength={MAX_CHARS}
          autofocus={!state}
        />
      </Form>
    </div>
  );
};
