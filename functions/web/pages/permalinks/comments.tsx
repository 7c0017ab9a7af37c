import type { CommentRow } from "../../../../db/queries/comments.ts";
import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import { representMiniUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { type LinkTargets, linkedHtml } from "../../../lib/text/text-links.ts";
import { type Reader, signInUrl } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { clock, number } from "../../../ui/words.ts";
import { inFormat } from "../../embed/representation.ts";
import { ActButton } from "../acts/act-button.tsx";
import { ListNav, momentPath, pathWith } from "../rows/paging.tsx";

interface CommentsProps {
  env: Env;
  reader: Reader;
  row: TrackRow;
  list: NonNullable<Around["comments"]>;
  /** Set to show the form again. */
  state: FormState | undefined;
  targets: LinkTargets;
}

/** All comments on a track, newest first, and a form for a new one. */
export const Comments = ({ env, reader, row, list, state, targets }: CommentsProps) => {
  const count = row.owned || row.reveal_comments ? row.comment_count : 0;
  return (
    <section class="comments-card" id="comments" aria-labelledby="comments-heading" tabindex={-1}>
      <h2 id="comments-heading">
        {count === 0 ? "Comments" : `${number(count)} ${count === 1 ? "comment" : "comments"}`}
      </h2>
      {row.commentable ? (
        <Writing env={env} reader={reader} row={row} state={state} />
      ) : (
        <p class="soft">This track takes no comments.</p>
      )}
      {!row.reveal_comments && (
        <p class="soft">
          {row.owned ? "Only you see all comments." : "Comments are shown to the track's owner only."}
        </p>
      )}
      {list.items.length > 0 && (
        <ol class="comments">
          {list.items.map((comment) => (
            <Comment env={env} reader={reader} row={row} comment={comment} targets={targets} />
          ))}
        </ol>
      )}
      <ListNav reader={reader} next={list.next} anchor="#comments" label="Pages of comments" />
    </section>
  );
};

const LABELS = { body: "Your comment", moment: "At" };

type WritingProps = Pick<CommentsProps, "env" | "reader" | "row" | "state">;

/** `page-moments.ts` fills in the current playback position. A visitor's words are sent once they have signed in. */
const Writing = ({ env, reader, row, state }: WritingProps) => (
  <div class="comment-form">
    {reader.userId === undefined && (
      <noscript>
        <p>
          <a href={signInUrl(env, reader)}>Sign in</a> to comment.
        </p>
      </noscript>
    )}
    <Form
      action={pathWith(reader.path, { t: undefined })}
      token={reader.actToken}
      name="comment"
      labels={LABELS}
      state={state}
      hidden={{ track: String(row.id) }}
      submit="Comment"
      kind="quiet"
      isWanted={reader.userId === undefined}
      then=".comment"
    >
      <Field form="comment" name="body" label={LABELS.body} state={state} rows={2} maxlength={2000} />
      <Field
        form="comment"
        name="moment"
        label={LABELS.moment}
        state={state}
        optional
        maxlength={10}
        hint="A moment of the track, such as 1:23."
      />
    </Form>
  </div>
);

interface CommentProps extends Pick<CommentsProps, "env" | "reader" | "row" | "targets"> {
  comment: CommentRow;
}

const Comment = ({ env, reader, row, comment, targets }: CommentProps) => {
  const { id, user_id, created_at, body, timestamp_ms } = comment;
  const author = representMiniUser(comment.user, env);
  const mayDelete = reader.userId !== undefined && (reader.userId === user_id || row.owned === true);
  return (
    <li class="comment" id={`comment-${id}`} tabindex={-1}>
      <img
        class="comment-avatar"
        src={inFormat(author.avatar_url, "badge")}
        width="40"
        height="40"
        alt=""
        loading="lazy"
      />
      <div>
        <p class="comment-by">
          <a href={author.permalink_url}>{author.username}</a>
          {timestamp_ms !== null && (
            <>
              {" at "}
              <a href={momentPath(reader, Math.floor(timestamp_ms / 1000))}>{clock(timestamp_ms)}</a>
            </>
          )}{" "}
          <Day at={created_at} />
        </p>
        {/* The HTML was sanitized when it was written. */}
        <div class="comment-text" dangerouslySetInnerHTML={{ __html: linkedHtml(body, targets) }} />
      </div>
      <div class="comment-acts">
        {mayDelete && (
          <ActButton
            env={env}
            reader={reader}
            id={id}
            act="delete-comment"
            fields={{ track: String(row.id) }}
            label={`Delete the comment by ${author.username}`}
          >
            Delete
          </ActButton>
        )}
        {reader.userId !== user_id && (
          <a
            class="act"
            href={reportUrl(env, `${reader.path}#comment-${id}`)}
            rel="nofollow"
            aria-label={`Report the comment by ${author.username}`}
          >
            Report
          </a>
        )}
      </div>
    </li>
  );
};

/** The report form, prefilled with the comment's URL. */
const reportUrl = (env: Env, path: string) =>
  webUrl(env, `/report?${new URLSearchParams({ url: webUrl(env, path) })}`);
