import type { Context } from "hono";
import type { Playlist } from "../../../api/playlists/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { EMPTY, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, orRefusal, readApi, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { number } from "../../../ui/words.ts";
import { Cover } from "../rows/cover.tsx";
import { countOf, idsOf, pathOf } from "./selected-ids.ts";
import { SELECTED } from "./selection.tsx";
import { createSet, NewSetForm } from "./sets.tsx";

/** {web_url}: adds the selected tracks to one of the reader's sets. */
export const selectedForSet = new Routes({ renderError: showSiteError });

const PATH = `${SELECTED}/set`;

selectedForSet.page(PATH, (c) => show(c, idsOf(c.req.query("all")), EMPTY));

selectedForSet.form(PATH, async (c) => {
  const sent = await readOwnForm(c, PATH);
  const ids = idsOf(sent.ids);
  formPage(c, pathOf(PATH, ids));
  const tracks = ids.map((id) => ({ id: String(id) }));
  const set = sent.set ? await add(c, sent.set, tracks) : await createSet(c, sent, tracks);
  if (!(set instanceof ApiRefusal)) return seeOther(c, `${new URL(set.permalink_url).pathname}/edit`);
  return show(c, ids, { values: sent, problems: set.problems });
});

/** Returns the refusal, if any, such as that of a full set. */
const add = (c: Context<AppEnv>, set: string, tracks: { id: string }[]): Promise<Playlist | ApiRefusal> =>
  orRefusal(
    writeApi<Playlist>(c, "PUT", `/playlists/${encodeURIComponent(set)}`, { playlist: { tracks } }),
    422,
  );

async function show(c: Context<AppEnv>, ids: number[], state: FormState): Promise<Response> {
  const sets = await readApi<Playlist[]>(c, "/me/playlists?show_tracks=false&limit=100");
  const { tracks: refused } = state.problems;
  return showSite(
    c,
    { title: `Add ${countOf(ids)} to a set`, status: state === EMPTY ? 200 : 422, styles: ["own.css"] },
    <div class="own">
      <h1>{`Add ${countOf(ids)} to a set`}</h1>
      {refused && (
        <div class="problems" role="alert" tabindex={-1} autofocus id="refused">
          <h2>They are not added</h2>
          <p>The tracks: {refused}</p>
        </div>
      )}
      {sets.length > 0 && (
        <form method="post" action={PATH} data-said={`Added ${countOf(ids)}.`}>
          <input type="hidden" name="form_token" value={formToken(c, PATH)} />
          <input type="hidden" name="ids" value={ids.join(",")} />
          <ul class="choices" aria-label="Your sets">
            {sets.map((set) => (
              <SetButton set={set} />
            ))}
          </ul>
        </form>
      )}
      <details class="own-section fold" open={sets.length === 0 || (state !== EMPTY && !refused)}>
        <summary>New set</summary>
        <NewSetForm
          action={PATH}
          token={formToken(c, PATH)}
          state={refused ? EMPTY : state}
          hidden={{ ids: ids.join(",") }}
        />
      </details>
    </div>,
  );
}

/** The whole row is the button. */
const SetButton = ({ set }: { set: Playlist }) => (
  <li>
    <button class="act" type="submit" name="set" value={String(set.id)}>
      <Cover of={set} size="row" />
      <span class="choice-title">
        <bdi>{set.title}</bdi>
        <small>
          {number(set.track_count)} {set.track_count === 1 ? "track" : "tracks"}
          {set.sharing === "private" && " · Private"}
        </small>
      </span>
    </button>
  </li>
);
