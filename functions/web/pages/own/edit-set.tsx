import { representPlaylist } from "../../../api/playlists/representation.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { formToken } from "../../../ui/form-guard.ts";
import { findOwnPage } from "./edit.ts";
import { editPage } from "./edit-page.tsx";
import { SET_FIELDS } from "./set-fields.ts";
import { orderPath, SetOrder } from "./set-order.tsx";
import { findForSet, SetPicker } from "./set-picker.tsx";

/** {web_url}: the page where owners edit a set. */
export const editSet = editPage({
  path: "/:user/sets/:set/edit",
  kind: {
    word: "set",
    wrapper: "playlist",
    path: "playlists",
    groups: SET_FIELDS,
    replaceLink: "replace-playlist-link",
    feedSettings: { path: "podcast", label: "Podcast settings" },
    deleting: "It disappears with its likes. Its tracks stay.",
  },
  async find(c) {
    const { set: permalink = "" } = c.req.param();
    const { playlist: row, items } = await findOwnPage(c, "playlist", permalink);
    // Only the owner's row has the secret.
    if (!row?.secret_sealed) return notFound("Page");
    const set = representPlaylist(c.env, row);
    const token = formToken(c, orderPath(set.id));
    const found = await findForSet(c);
    return {
      owned: set,
      called: set.is_podcast ? "podcast" : "set",
      updatedAt: row.updated_at,
      isDown: row.taken_down_at !== null,
      intro: (
        <>
          <SetOrder id={set.id} items={items} token={token} page={c.req.path} />
          <SetPicker c={c} set={set} held={new Set(items.map(({ id }) => id))} found={found} />
        </>
      ),
    };
  },
});
