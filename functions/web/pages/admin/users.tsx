import {
  admitUser,
  changePlan,
  type ModeratedUser,
  removeUser,
  restoreUser,
  searchUsers,
  showUserPage,
  signOutUser,
  suspendUser,
} from "../../../../db/queries/moderation.ts";
import { setUserQuota } from "../../../../db/queries/moderation-quotas.ts";
import { expireUploadsOf } from "../../../api/uploads/expire.ts";
import { Plan } from "../../../api/users/account-input.ts";
import { invalid, notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator, wordsIn } from "./guard.ts";
import { limitsIn } from "./limits.tsx";
import { Entry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { SearchForm } from "./search-form.tsx";
import { showUserDeletion, showUserDetails } from "./user-page.tsx";
import { minute } from "./words.ts";

export const userPages = new Routes({ renderError: showAdminError });

/** The URL of a profile ends with its permalink. */
const PROFILE = /^https?:\/\/[^/]+\/([\w-]+)\/?(?:[?#].*)?$/;

userPages.page("/admin/users", async (c) => {
  const typed = wordsIn(c, 200);
  const words = PROFILE.exec(typed)?.[1] ?? typed;
  const label = "Name, profile, e-mail address or id";
  return showList(c, {
    title: "Users",
    section: "/admin/users",
    above: <SearchForm path="/admin/users" label={label} value={typed} />,
    rows: await searchUsers(c.var.db, readerAsOperator(c), words, { before: beforeIn(c), limit: ROWS }),
    idOf: ({ id }) => id,
    empty: "Nobody has such a name, address or id.",
    row: (user) => <UserEntry user={user} />,
  });
});

const UserEntry = ({ user }: { user: ModeratedUser }) => (
  <Entry
    title={<a href={`/admin/users/${user.id}`}>{user.username}</a>}
    lines={[
      `${user.email ?? "no address"}, ${user.plan}, since ${minute(user.created_at)}`,
      user.state !== "active" && `${user.state}${user.suspended_for ? `: ${user.suspended_for}` : ""}`,
    ]}
  />
);

userPages.page("/admin/users/:id", async (c) => {
  const { user, acts } = await showUserPage(c.var.db, readerAsOperator(c), idIn(c));
  return user ? showUserDetails(c, user, acts) : notFound("User");
});

userPages.page("/admin/users/:id/delete", async (c) => {
  const { user } = await showUserPage(c.var.db, readerAsOperator(c), idIn(c));
  return user ? showUserDeletion(c, user) : notFound("User");
});

userPages.form("/admin/users/:id/suspend", async (c) => {
  const { withReason, page } = await readAct(c);
  const { outcome } = await suspendUser(c.var.db, withReason(), idIn(c));
  await expireUploadsOf(c, idIn(c));
  return outcome === "done" ? seeOther(c, page) : refuse("user", outcome);
});

userPages.form("/admin/users/:id/restore", async (c) => {
  const { by, page } = await readAct(c);
  const { outcome } = await restoreUser(c.var.db, by, idIn(c));
  return outcome === "done" ? seeOther(c, page) : refuse("user", outcome);
});

userPages.form("/admin/users/:id/sign-out", async (c) => {
  const { by, page } = await readAct(c);
  const { outcome } = await signOutUser(c.var.db, by, idIn(c));
  return outcome === "done" ? seeOther(c, page) : refuse("user", outcome);
});

userPages.form("/admin/users/:id/admit", async (c) => {
  const { by, page } = await readAct(c);
  const { outcome } = await admitUser(c.var.db, by, idIn(c));
  return outcome === "done" ? seeOther(c, page) : refuse("user", outcome);
});

userPages.form("/admin/users/:id/plan", async (c) => {
  const { by, page, fields } = await readAct(c);
  const plan = Plan.safeParse(fields.plan);
  if (!plan.success) return invalid("There is no such plan");
  const { outcome } = await changePlan(c.var.db, by, idIn(c), plan.data);
  return outcome === "done" ? seeOther(c, page) : refuse("user", outcome);
});

userPages.form("/admin/users/:id/quota", async (c) => {
  const { by, page, fields } = await readAct(c);
  const { outcome } = await setUserQuota(c.var.db, by, idIn(c), limitsIn(fields, -1));
  return outcome === "done" ? seeOther(c, page) : refuse("user", outcome);
});

userPages.form("/admin/users/:id/delete", async (c) => {
  const { withReason, fields } = await readAct(c);
  const { user } = await showUserPage(c.var.db, readerAsOperator(c), idIn(c));
  if (!user) return refuse("user", "unknown");
  if (fields.name?.trim() !== user.permalink)
    return showUserDeletion(c, user, {
      values: fields,
      problems: { name: `is not ${user.permalink}; nothing was deleted` },
    });
  const { outcome } = await removeUser(c.var.db, withReason(), user.id);
  await expireUploadsOf(c, user.id);
  return outcome === "done" ? seeOther(c, "/admin/users") : refuse("user", outcome);
});
