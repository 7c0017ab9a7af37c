import type { Context } from "hono";
import { linkedId } from "../../../../db/queries/links.ts";
import {
  findPictured,
  type ModeratedComment,
  type ModeratedSet,
  type PictureOf,
  type Post,
  removePost,
  showModeratedComment,
  showModeratedSet,
} from "../../../../db/queries/moderation-removals.ts";
import { requireOperator } from "../../../../db/queries/operator-accounts.ts";
import { resourceNamed } from "../../../api/resolve/address.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { textOf } from "../../../lib/text/plain-text.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdmin, showAdminError } from "./frame.tsx";
import { idIn, readAct, readerAsOperator, wordsIn } from "./guard.ts";
import { actingOf, FactList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute } from "./words.ts";

/** Comments, sets and pictures, to remove. */
export const postPages = new Routes({ renderError: showAdminError });

const PAGES: Record<PictureOf, string> = {
  track: "/admin/tracks/",
  playlist: "/admin/sets/",
  user: "/admin/users/",
};

postPages.page("/admin/find", async (c) => {
  const viewer = readerAsOperator(c);
  await requireOperator(c.var.db, viewer);
  const typed = wordsIn(c, 2_000);
  const [, comment] = /#comment-([1-9]\d{0,15})$/.exec(typed) ?? [];
  if (comment) return seeOther(c, `/admin/comments/${comment}`);
  const [, version] = /\/images\/([0-9a-f]{32})-/.exec(typed) ?? [];
  if (version) {
    const pictured = await findPictured(c.var.db, viewer, version);
    return pictured ? seeOther(c, PAGES[pictured.of] + pictured.id) : notFound("Picture");
  }
  const named = resourceNamed(typed, c.env);
  if (named?.kind === "playlist") {
    const set = await showModeratedSet(c.var.db, viewer, named.id ?? linkedId(named));
    return set ? seeOther(c, PAGES.playlist + set.id) : notFound("Set");
  }
  return seeOther(
    c,
    `/admin/${named?.kind === "user" ? "users" : "tracks"}?${new URLSearchParams({ q: typed })}`,
  );
});

postPages.page("/admin/comments/:id", async (c) => {
  const comment = await showModeratedComment(c.var.db, readerAsOperator(c), idIn(c));
  return comment ? showComment(c, comment) : notFound("Comment");
});

postPages.page("/admin/sets/:id", async (c) => {
  const set = await showModeratedSet(c.var.db, readerAsOperator(c), idIn(c));
  return set ? showSet(c, set) : notFound("Set");
});

postPages.form("/admin/comments/:id/remove", (c) => remove(c, () => ({ kind: "comment", id: idIn(c) })));
postPages.form("/admin/sets/:id/remove", (c) => remove(c, () => ({ kind: "playlist", id: idIn(c) })));

for (const of of ["track", "playlist", "user"] as const)
  postPages.form(`/admin/pictures/${of}/:id/remove`, (c) =>
    remove(c, ({ version }) => ({ kind: "picture", of, id: idIn(c), version: version ?? null })),
  );

/** Removes a post and leads to its case. One that was removed meanwhile leads back to its page. */
async function remove(
  c: Context<AppEnv>,
  postOf: (fields: Record<string, string>) => Post,
): Promise<Response> {
  const { withReason, page, fields } = await readAct(c);
  const removed = await removePost(c.var.db, withReason(), postOf(fields));
  if (removed.outcome === "done") return seeOther(c, `/admin/removals/${removed.removal}`);
  return removed.outcome === "already" ? seeOther(c, page) : refuse("post", removed.outcome);
}

const showComment = (c: Context<AppEnv>, comment: ModeratedComment): Response =>
  showAdmin(
    c,
    { title: "Comment", section: "/admin/removals" },
    <>
      <header class="page-head">
        <h1>Comment</h1>
      </header>
      <section class="card own-section">
        <p class="report-details">{textOf(comment.body)}</p>
        <FactList
          facts={[
            ["Author", <a href={`/admin/users/${comment.user_id}`}>{comment.user}</a>],
            ["Track", <a href={`/admin/tracks/${comment.track_id}`}>{comment.track}</a>],
            ["Written", minute(comment.created_at)],
            ["Open reports", comment.open_reports],
          ]}
        />
        <div class="admin-acts">
          <ActForm
            acting={actingOf(c)}
            action={`/admin/comments/${comment.id}/remove`}
            label="Remove"
            of="the comment"
            reason="required"
            hint="The author reads it. The comment is kept for restoring."
            kind="danger"
          />
        </div>
      </section>
    </>,
  );

const showSet = (c: Context<AppEnv>, set: ModeratedSet): Response =>
  showAdmin(
    c,
    { title: set.title, section: "/admin/removals" },
    <>
      <header class="page-head">
        <h1>{set.title}</h1>
        {set.removal === null && <a href={`/${set.user}/sets/${set.permalink}`}>Page</a>}
      </header>
      <section class="card own-section">
        <FactList
          facts={[
            ["Owner", <a href={`/admin/users/${set.user_id}`}>{set.user}</a>],
            ["Shared", set.removal === null ? set.sharing : "removed"],
            ["Tracks", set.tracks],
            ["Made", minute(set.created_at)],
            ["Open reports", set.open_reports],
          ]}
        />
        <div class="admin-acts">
          {set.removal === null ? (
            <ActForm
              acting={actingOf(c)}
              action={`/admin/sets/${set.id}/remove`}
              label="Remove"
              of={set.title}
              reason="required"
              hint="The owner reads it. The tracks stay where else they are."
              kind="danger"
            />
          ) : (
            <a href={`/admin/removals/${set.removal}`}>The case</a>
          )}
          <RemovePicture
            acting={actingOf(c)}
            of="playlist"
            id={set.id}
            name={set.title}
            version={set.artwork_version}
          />
        </div>
      </section>
    </>,
  );

interface RemovePictureProps {
  acting: Acting;
  of: PictureOf;
  id: number;
  name: string;
  version: string | null;
}

/** Removes the picture that the page was made with, not one that its owner has chosen since. */
export const RemovePicture = ({ acting, of, id, name, version }: RemovePictureProps) =>
  version === null ? null : (
    <ActForm
      acting={acting}
      action={`/admin/pictures/${of}/${id}/remove`}
      label="Remove the picture"
      of={name}
      reason="required"
      hint="The owner reads it, and may choose another picture."
      kind="danger"
    >
      <input type="hidden" name="version" value={version} />
    </ActForm>
  );
