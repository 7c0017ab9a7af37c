import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { BulkReply } from "../../../api/tracks/bulk-input.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { EMPTY, Form, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, orRefusal, readApi, SignInNeeded, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { siteViewer } from "../../../ui/viewer.ts";
import { Nothing } from "../rows/nothing.tsx";
import { bodyOf, Groups, labelsOf } from "./fields.tsx";
import { EMPTYING, emptiedIn, SELECTED_FIELDS } from "./selected-fields.ts";
import { countOf, idsOf, pathOf } from "./selected-ids.ts";
import { SELECTED } from "./selection.tsx";

/** {web_url}: edits, publishes and deletes the tracks that were selected in the own list. */
export const selectedTracks = new Routes({ renderError: showSiteError });

const LIST = "/you/tracks";
const DELETE = `${SELECTED}/delete`;
const FORM = [...SELECTED_FIELDS, EMPTYING];

selectedTracks.page(SELECTED, async (c) => showSelected(c, await selectedOf(c, askedIds(c)), EMPTY));

selectedTracks.form(SELECTED, async (c) => {
  const sent = await readOwnForm(c, SELECTED);
  const ids = idsOf(sent.ids);
  formPage(c, pathOf(SELECTED, ids));
  const { problems } = emptiedIn(sent);
  if (Object.keys(problems).length > 0)
    return showSelected(c, await selectedOf(c, ids), { values: sent, problems });
  const changes = { ids, ...changesIn(sent) };
  const reply = await orRefusal(writeApi<BulkReply>(c, "PUT", "/me/tracks", changes), 422);
  if (!(reply instanceof ApiRefusal)) return answer(c, reply, "changed");
  return showSelected(c, await selectedOf(c, ids), { values: sent, problems: reply.problems });
});

selectedTracks.page(DELETE, async (c) => {
  const tracks = await selectedOf(c, askedIds(c));
  if (tracks.length === 0) return showSelected(c, tracks, EMPTY);
  const ids = tracks.map(({ id }) => id);
  return showSite(
    c,
    { title: `Delete ${countOf(ids)}`, styles: ["own.css"] },
    <section class="card message">
      <h1>{`Delete ${countOf(ids)}?`}</h1>
      <ul>
        {tracks.map(({ title }) => (
          <li>
            <bdi>{title}</bdi>
          </li>
        ))}
      </ul>
      <p>They disappear with their comments, likes and plays, and from every set. They cannot be restored.</p>
      <div class="own-actions">
        <Form
          name="delete"
          action={DELETE}
          token={formToken(c, DELETE)}
          hidden={{ ids: ids.join(",") }}
          submit={`Delete ${countOf(ids)}`}
          kind="danger"
          said={`Deleted ${countOf(ids)}.`}
        />
        <a class="button quiet" href={LIST}>
          Keep them
        </a>
      </div>
    </section>,
  );
});

selectedTracks.form(DELETE, async (c) => {
  const ids = idsOf((await readOwnForm(c, DELETE)).ids);
  formPage(c, pathOf(DELETE, ids));
  return answer(c, await writeApi<BulkReply>(c, "DELETE", `/me/tracks?ids=${ids.join(",")}`), "deleted");
});

const askedIds = (c: Context<AppEnv>): number[] =>
  idsOf([...(c.req.queries("track") ?? []), c.req.query("all") ?? ""].join(","));

/** The tracks with these ids that are the reader's own. Without ids, the API would list all of them. */
async function selectedOf(c: Context<AppEnv>, ids: number[]): Promise<Track[]> {
  if (!siteViewer(c)) throw new SignInNeeded();
  return ids.length ? readApi<Track[]>(c, `/me/tracks?ids=${ids.join(",")}&limit=100`) : [];
}

/** Only what was filled in, or ticked to be emptied, changes. */
function changesIn({ sharing, ...sent }: Record<string, string>) {
  const filled = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ""));
  const { add_tags, remove_tags, ...track } = bodyOf(SELECTED_FIELDS, filled);
  return {
    track: { ...track, ...emptiedIn(sent).track, ...(sharing && { sharing }) },
    ...(add_tags !== undefined && { add_tags }),
    ...(remove_tags !== undefined && { remove_tags }),
  };
}

/** Leads back to the list, or tells which tracks stay as they were and why. */
async function answer(c: Context<AppEnv>, { refused }: BulkReply, done: "changed" | "deleted") {
  if (refused.length === 0) return seeOther(c, LIST);
  const lines = refused.map(({ title, error_message }) => {
    const reason = error_message.replace(/^\w+(?:\[\w+\])?: /, "");
    return [title ?? "A track that is no longer yours", reason] as const;
  });
  const tracks = await selectedOf(
    c,
    refused.map(({ id }) => id),
  );
  const all = `Not ${done}: ${countOf(refused)}. All others are ${done}.`;
  return showSelected(c, tracks, EMPTY, <Refused intro={all} lines={lines} />);
}

const Refused = ({ intro, lines }: { intro: string; lines: (readonly [string, string])[] }) => (
  <div class="problems" role="alert" tabindex={-1} autofocus id="refused">
    <h2>{intro}</h2>
    <ul>
      {lines.map(([title, reason]) => (
        <li>
          <bdi>{title}</bdi>: {reason}
        </li>
      ))}
    </ul>
  </div>
);

/** `refused` is said first, after an act that some tracks refused. */
function showSelected(c: Context<AppEnv>, tracks: Track[], state: FormState, refused?: Child): Response {
  const ids = tracks.map(({ id }) => id);
  const token = formToken(c, SELECTED);
  return showSite(
    c,
    {
      title: ids.length ? `Edit ${countOf(ids)}` : "Nothing selected",
      status: state === EMPTY && !refused ? 200 : 422,
      styles: ["own.css"],
    },
    <div class="own">
      <header class="own-head">
        <h1>{ids.length ? `Edit ${countOf(ids)}` : "Nothing selected"}</h1>
        <a href={LIST}>Your tracks</a>
      </header>
      {refused}
      {ids.length === 0 ? (
        !refused && (
          <Nothing step={[LIST, "Choose tracks"]}>Tick tracks in your list to edit them together.</Nothing>
        )
      ) : (
        <>
          <ul class="selected">
            {tracks.map(({ title, permalink_url, sharing }) => (
              <li>
                <a href={permalink_url}>
                  <bdi>{title}</bdi>
                </a>
                {sharing === "private" && <span class="badge">Private</span>}
              </li>
            ))}
          </ul>
          <Acts ids={ids} token={token} />
          <section class="own-section">
            <h2>Change their fields</h2>
            <p class="hint">
              Fields that you leave empty stay as they are, but for those that you tick under “Empty fields”.
            </p>
            <Form
              name="selected"
              action={SELECTED}
              token={token}
              state={state}
              labels={labelsOf(FORM)}
              hidden={{ ids: ids.join(",") }}
              submit={`Save for ${countOf(ids)}`}
              said={`Saved for ${countOf(ids)}.`}
            >
              <Groups form="selected" state={state} groups={FORM} />
            </Form>
          </section>
        </>
      )}
    </div>,
  );
}

const Acts = ({ ids, token }: { ids: number[]; token: string }) => (
  <form class="own-actions" method="post" action={SELECTED} data-said={`Changed ${countOf(ids)}.`}>
    <input type="hidden" name="form_token" value={token} />
    <input type="hidden" name="ids" value={ids.join(",")} />
    <button class="button quiet" type="submit" name="sharing" value="public">
      Publish
    </button>
    <button class="button quiet" type="submit" name="sharing" value="private">
      Make private
    </button>
    <a class="button quiet" href={pathOf(`${SELECTED}/set`, ids)}>
      Add to a set …
    </a>
    <a class="button danger" href={pathOf(DELETE, ids)}>
      Delete …
    </a>
  </form>
);
