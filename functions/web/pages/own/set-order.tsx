import { orderPlaylistTracks } from "../../../../db/queries/own-sets.ts";
import type { SiteItem } from "../../../../db/queries/site-pages.ts";
import { unwrap } from "../../../api/playlists/errors.ts";
import { conflict } from "../../../lib/http/errors.ts";
import { budgetOf, settleBudget } from "../../../lib/http/limits/budgets.ts";
import { Routes } from "../../../lib/http/route.ts";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { Icon } from "../../../ui/icons.tsx";
import { ownPath } from "../../../ui/next.ts";
import { asReader, deleteInApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSiteError } from "../../../ui/site-page.tsx";
import { clock } from "../../../ui/words.ts";
import { versionOf } from "./edit.ts";

/** {web_url}: reorders and removes a set's tracks. */
export const setOrder = new Routes({ renderError: showSiteError });

/** The path of the form, and the subject of its token. */
export const orderPath = (id: number | string): string => `/you/sets/${id}/tracks`;

setOrder.form("/you/sets/:id/tracks", async (c) => {
  const { id } = c.req.param();
  const sent = await readOwnForm(c, orderPath(id));
  const page = formPage(c, ownPath(sent.next, "/you/sets"));
  if (sent.remove) {
    await deleteInApi(c, `/playlists/${id}/tracks/${encodeURIComponent(sent.remove)}`);
    return seeOther(c, `${page}#tracks`);
  }
  const [how = "", moved = ""] = (sent.move ?? "").split(" ");
  const order = {
    tracks: idsOf(movedIn((sent.order ?? "").split(","), how, moved)),
    was: sent.was === undefined ? null : idsOf(sent.was.split(",")),
  };
  const budget = budgetOf(c.env, "playlist-edits");
  const reply = await asReader(c, (viewer) =>
    orderPlaylistTracks(c.var.db, viewer, Number(id), order, budget),
  );
  if (reply.outcome === "changed")
    return conflict(
      "The tracks were put in another order meanwhile, so yours is not saved; open the page again",
    );
  const { was, now } = unwrap(settleBudget(c, "playlist-edits", reply));
  // The script stays on the page, whose other form needs the new version.
  if (!sent.move) return c.json({ was: versionOf(was), now: versionOf(now) });
  return seeOther(c, `${page}#track-${Number(moved)}`);
});

const idsOf = (texts: string[]): number[] =>
  texts.map(Number).filter((each) => Number.isSafeInteger(each) && each > 0);

/** Returns the order after a pressed button. Scripts send the new order without one. */
function movedIn(order: string[], how: string, id: string): string[] {
  const at = order.indexOf(id);
  const to = { top: 0, up: at - 1, down: at + 1 }[how];
  if (at < 0 || to === undefined) return order;
  return order.toSpliced(at, 1).toSpliced(Math.max(0, to), 0, id);
}

type SetOrderProps = { id: number; items: SiteItem[]; token: string; page: string };

/** The tracks, with buttons that move them. With the script they move in place, also by dragging. */
export const SetOrder = ({ id, items, token, page }: SetOrderProps) => {
  const order = items.map((item) => item.id).join(",");
  return (
    <section class="own-section" id="tracks" tabindex={-1}>
      <h2>Tracks</h2>
      {items.length === 0 && (
        <div class="empty">
          <p>No tracks yet. Look for some below, or press “Add to set” beside any track.</p>
        </div>
      )}
      <set-order>
        <form method="post" action={orderPath(id)}>
          <input type="hidden" name="form_token" value={token} />
          <input type="hidden" name="next" value={page} />
          <input type="hidden" name="order" value={order} />
          <input type="hidden" name="was" value={order} />
          <ol class="order">
            {items.map((item, at) => (
              <OrderItem item={item} isFirst={at === 0} isLast={at === items.length - 1} />
            ))}
          </ol>
        </form>
        <p role="status" class="hint" />
      </set-order>
    </section>
  );
};

const MOVES = [
  ["top", "to the top"],
  ["up", "up"],
  ["down", "down"],
] as const;

const OrderItem = ({ item, isFirst, isLast }: { item: SiteItem; isFirst: boolean; isLast: boolean }) => (
  <li id={`track-${item.id}`} tabindex={-1} data-id={String(item.id)} data-title={item.title}>
    <span class="handle" aria-hidden="true">
      ⠿
    </span>
    <div class="row-words">
      <a href={`/${item.user.permalink}/${item.permalink}`}>
        <bdi>{item.title}</bdi>
      </a>
      <p class="row-by">
        <bdi>{item.artist ?? item.user.username}</bdi>
      </p>
    </div>
    {item.duration_ms ? <span class="order-length">{clock(item.duration_ms)}</span> : null}
    <div class="own-actions">
      {MOVES.map(([how, words]) => (
        <button
          class="act"
          type="submit"
          name="move"
          value={`${how} ${item.id}`}
          aria-label={`Move ${item.title} ${words}`}
          title={`Move ${words}`}
          disabled={how === "down" ? isLast : isFirst}
        >
          <Icon name={how} />
        </button>
      ))}
      <button
        class="act"
        type="submit"
        name="remove"
        value={String(item.id)}
        aria-label={`Remove ${item.title}`}
        title="Remove"
      >
        <Icon name="close" />
      </button>
    </div>
  </li>
);
