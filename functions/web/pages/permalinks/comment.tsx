import type { Child } from "hono/jsx";
import type { CommentRow } from "../../../../db/queries/comments.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import { representMiniUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import type { LinkTargets } from "../../../lib/text/text-links.ts";
import { type Reader, signInUrl } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { clock } from "../../../ui/words.ts";
import { ActButton } from "../acts/act-button.tsx";
import { Avatar } from "../rows/avatar.tsx";
import { momentPath, pathWith } from "../rows/paging.tsx";
import { SanitizedText } from "./sanitized-text.tsx";

interface CommentProps {
  env: Env;
  reader: Reader;
  row: TrackRow;
  comment: CommentRow;
  targets: LinkTargets;
  /** Whether to show the comment's moment. Replies share that of their thread. */
  isTimed: boolean;
  /** The comment's thread. */
  children?: Child;
}

export const nameOf = ({ user }: CommentRow): string => user.username;

/** The page with the form for a reply, which works without a script. */
export const replyPath = ({ path }: Pick<Reader, "path">, { id }: Pick<CommentRow, "id">): string =>
  pathWith(path, { t: undefined, thread: undefined, reply: String(id) });

export const Comment = ({ env, reader, row, comment, targets, isTimed, children }: CommentProps) => {
  const { id, parent_id, created_at, body, timestamp_ms } = comment;
  const author = representMiniUser(comment.user, env);
  return (
    <li class="comment" id={`comment-${id}`} tabindex={-1}>
      <div class="comment-said">
        <Avatar of={author} size={parent_id === null ? "comment" : "reply"} />
        <p class="comment-by">
          <a href={author.permalink_url}>
            <bdi>{author.username}</bdi>
          </a>
          {timestamp_ms !== null && isTimed && (
            <>
              {" at "}
              <a class="comment-moment" href={momentPath(reader, Math.floor(timestamp_ms / 1000))}>
                {clock(timestamp_ms)}
              </a>
            </>
          )}{" "}
          <Day at={created_at} />
        </p>
        <SanitizedText class="comment-text" html={body} targets={targets} />
        <Acts env={env} reader={reader} row={row} comment={comment} />
      </div>
      {children}
    </li>
  );
};

const Acts = ({ env, reader, row, comment }: Omit<CommentProps, "targets" | "isTimed" | "children">) => {
  const { id, user_id, parent_id } = comment;
  const name = nameOf(comment);
  const isVisitor = reader.userId === undefined;
  const path = replyPath(reader, comment);
  const mayDelete = !isVisitor && (reader.userId === user_id || row.owned === true);
  return (
    <div class="comment-acts">
      {row.commentable && row.reveal_comments && (
        <a
          class="act"
          href={isVisitor ? signInUrl(env, { ...reader, path }) : `${path}#reply`}
          rel="nofollow"
          aria-label={`Reply to ${name}`}
          {...(isVisitor
            ? { "data-turbo": "false" }
            : { "data-reply": name, "data-begin": parent_id === null ? "" : `@${comment.user.permalink} ` })}
        >
          Reply
        </a>
      )}
      {mayDelete && (
        <ActButton
          env={env}
          reader={reader}
          id={id}
          act="delete-comment"
          fields={{ track: String(row.id) }}
          label={`Delete the comment by ${name}`}
        >
          Delete
        </ActButton>
      )}
      {reader.userId !== user_id && (
        <a
          class="act"
          href={reportUrl(env, `${pathWith(reader.path, { ...ALONE, thread: String(id) })}#comment-${id}`)}
          rel="nofollow"
          aria-label={`Report the comment by ${name}`}
        >
          Report
        </a>
      )}
    </div>
  );
};

const ALONE = { t: undefined, reply: undefined };

/** The report form, prefilled with the comment's URL. */
const reportUrl = (env: Env, path: string) =>
  webUrl(env, `/report?${new URLSearchParams({ url: webUrl(env, path) })}`);
