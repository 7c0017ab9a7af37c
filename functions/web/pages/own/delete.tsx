import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import { Routes } from "../../../lib/http/route.ts";
import { Form } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { readApi, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";

/** {web_url}: deletes a track or a set after the owner's confirmation. */
export const deletions = new Routes({ renderError: showSiteError });

const LOST = {
  tracks:
    "The track disappears with its comments, likes and plays, and from every set. It cannot be restored.",
  sets: "It disappears with its likes. Its tracks stay. It cannot be restored.",
};

const API_PATHS = { tracks: "tracks", sets: "playlists" } as const;

for (const kind of ["tracks", "sets"] as const) {
  const path = `/you/${kind}/:id/delete` as const;
  const apiPath = API_PATHS[kind];

  deletions.page(path, async (c) => {
    const { id = "" } = c.req.param();
    const parts = kind === "sets" ? "?show_tracks=false" : "";
    const owned = await readApi<Track | Playlist>(c, `/me/${apiPath}/${id}${parts}`);
    return showSite(
      c,
      { title: `Delete ${owned.title}`, styles: ["own.css"] },
      <section class="card message">
        <h1>{`Delete “${owned.title}”?`}</h1>
        <p>{LOST[kind]}</p>
        <div class="own-actions">
          <Form
            name="delete"
            action={c.req.path}
            token={formToken(c, c.req.path)}
            submit="Delete"
            kind="danger"
          />
          <a class="button quiet" href={`/you/${kind}`}>
            Keep it
          </a>
        </div>
      </section>,
    );
  });

  deletions.form(path, async (c) => {
    const { id = "" } = c.req.param();
    await readOwnForm(c, formPage(c, c.req.path));
    await writeApi(c, "DELETE", `/${apiPath}/${id}`);
    return seeOther(c, `/you/${kind}`);
  });
}
