import type { Thread, Threads } from "../../../../db/queries/comment-threads.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { LinkTargets } from "../../../lib/text/text-links.ts";
import type { Reader } from "../../../ui/bar.tsx";
import type { FormState } from "../../../ui/form.tsx";
import { number } from "../../../ui/words.ts";
import { ListNav, pathWith } from "../rows/paging.tsx";
import { Comment, nameOf, replyPath } from "./comment.tsx";
import { ReplyForm } from "./composer.tsx";

/** Whether a thread has a comment. */
export const holds = ({ first, replies }: Thread, id: number | undefined): boolean =>
  [first, ...replies].some((comment) => comment?.id === id && id !== undefined);

interface CommentsProps {
  env: Env;
  reader: Reader;
  row: TrackRow;
  list: Threads;
  /** Whether the list is one thread alone. */
  isThread: boolean;
  /** The comment whose form for a reply is open. */
  replyTo: number | undefined;
  /** Set to show that form again. */
  state: FormState | undefined;
  targets: LinkTargets;
}

/** The comments on a track, the newest thread first, or one thread of them. */
export const Comments = ({ list, isThread, replyTo, state, ...common }: CommentsProps) => {
  const { reader, row } = common;
  const count = row.owned || row.reveal_comments ? row.comment_count : 0;
  return (
    <section class="comments-part" id="comments" aria-labelledby="comments-heading" tabindex={-1}>
      <h2 id="comments-heading">
        {count === 0 ? "Comments" : `${number(count)} ${count === 1 ? "comment" : "comments"}`}
      </h2>
      {!row.commentable && <p class="soft">This track takes no comments.</p>}
      {!row.reveal_comments && (
        <p class="soft">
          {row.owned ? "Only you see all comments." : "Comments are shown to the track's owner only."}
        </p>
      )}
      {count === 0 && !isThread && list.items.length === 0 && row.commentable && row.reveal_comments && (
        <p class="soft">Nobody has commented yet. Yours would be the first.</p>
      )}
      {isThread && (
        <p>
          {list.items.length === 0 && "This comment is no longer here. "}
          <a href={`${pathWith(reader.path, ALL)}#comments`}>All comments</a>
        </p>
      )}
      {list.items.length > 0 && (
        <ol class="comments">
          {list.items.map((thread) => (
            <ThreadPart {...common} thread={thread} replyTo={replyTo} state={state} />
          ))}
        </ol>
      )}
      {!isThread && <ListNav reader={reader} next={list.next} anchor="#comments" label="Pages of comments" />}
      {reader.userId !== undefined && row.commentable && list.items.length > 0 && (
        <template id="reply-template">
          <ReplyForm
            reader={reader}
            row={row}
            answered={{ thread: 0, action: "", name: "", begin: "" }}
            next={reader.path}
          />
        </template>
      )}
    </section>
  );
};

/** Changes of a path that lead from a thread to all comments. */
const ALL = { thread: undefined, reply: undefined };

interface ThreadProps
  extends Pick<CommentsProps, "env" | "reader" | "row" | "targets" | "replyTo" | "state"> {
  thread: Thread;
}

const ThreadPart = ({ thread, replyTo, state, ...common }: ThreadProps) => {
  const { reader, row } = common;
  const { id, first, replies, hasEarlier } = thread;
  const all = first ? [first, ...replies] : replies;
  const answered = all.find((comment) => comment.id === replyTo);
  const alone = pathWith(reader.path, { ...ALL, thread: String(id) });
  const earlier = hasEarlier && replies[0] && pathWith(alone, { cursor: String(replies[0].id) });
  const below = (
    <>
      {earlier && (
        <p class="comment-more">
          <a href={`${earlier}#comment-${id}`}>Earlier replies</a>
        </p>
      )}
      {replies.length > 0 && (
        <ol class="replies" aria-label={`Replies to ${first ? nameOf(first) : "a comment that is gone"}`}>
          {replies.map((comment) => (
            <Comment {...common} comment={comment} isTimed={comment.timestamp_ms !== first?.timestamp_ms} />
          ))}
        </ol>
      )}
      {answered && reader.userId !== undefined && row.commentable && (
        <ReplyForm
          reader={reader}
          row={row}
          answered={{
            thread: id,
            action: replyPath(reader, answered),
            name: nameOf(answered),
            begin: answered.parent_id === null ? "" : `@${answered.user.permalink} `,
          }}
          next={alone}
          state={state}
        />
      )}
    </>
  );
  return first ? (
    <Comment {...common} comment={first} isTimed>
      {below}
    </Comment>
  ) : (
    <li class="comment" id={`comment-${id}`} tabindex={-1}>
      <p class="comment-gone">The comment that began this thread is no longer here.</p>
      {below}
    </li>
  );
};
