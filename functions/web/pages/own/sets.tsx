import type { Context } from "hono";
import type { Playlist } from "../../../api/playlists/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { EMPTY, Form, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, orRefusal, readApi, SignInNeeded, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { siteViewer } from "../../../ui/viewer.ts";
import type { SetPage } from "../discovery/lists.ts";
import { More, withCursor } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { SetMenu } from "../rows/row-menu.tsx";
import { Scheduled } from "../rows/scheduled.tsx";
import { SetRow } from "../rows/set-row.tsx";
import { bodyOf, Groups, labelsOf } from "./fields.tsx";
import { OwnActs, OwnHead } from "./list.tsx";
import { NEW_SET_FIELDS } from "./set-fields.ts";

/** {web_url}: the reader's own sets. */
export const ownSets = new Routes({ renderError: showSiteError });

const PATH = "/you/sets";
const NEW = "/you/sets/new";

ownSets.page(PATH, async (c) => {
  const path = withCursor("/me/playlists?show_tracks=false&limit=50&linked_partitioning=true", c.req.url);
  const { collection, next_href } = await readApi<SetPage>(c, path);
  const reader = readerOf(c);
  return showSite(
    c,
    { title: "Your sets", reader, styles: ["own.css"], scripts: ["own.client.js"] },
    <div class="own">
      <OwnHead title="Your sets" here={PATH}>
        <a href="/you/podcasts/move">Move a podcast here</a>{" "}
        <a class="button" href={NEW}>
          New set
        </a>
      </OwnHead>
      {collection.length > 0 ? (
        <Rows label="Your sets">
          {collection.map((set) => (
            <SetRow
              reader={reader}
              set={set}
              state={<Scheduled at={set.publish_at} />}
              acts={
                <OwnActs title={set.title} editHref={`${set.permalink_url}/edit`}>
                  <SetMenu reader={reader} set={set} />
                </OwnActs>
              }
            />
          ))}
        </Rows>
      ) : (
        <div class="empty">
          <p>You have no sets yet. A set is an album, a playlist or a podcast.</p>
          <a class="button quiet" href="/discover">
            Find tracks to collect
          </a>
        </div>
      )}
      <More reader={reader} next={next_href} />
    </div>,
  );
});

ownSets.page(NEW, (c) => {
  if (!siteViewer(c)) throw new SignInNeeded();
  return showNew(c, EMPTY);
});

ownSets.form(NEW, async (c) => {
  const sent = await readOwnForm(c, formPage(c, NEW));
  const made = await createSet(c, sent);
  return made instanceof ApiRefusal
    ? showNew(c, { values: sent, problems: made.problems })
    : seeOther(c, `${new URL(made.permalink_url).pathname}/edit`);
});

/** Returns the refusal, if any, for the form to show. */
export function createSet(
  c: Context<AppEnv>,
  sent: Record<string, string>,
  tracks: { id: string }[] = [],
): Promise<Playlist | ApiRefusal> {
  const playlist = { ...bodyOf(NEW_SET_FIELDS, sent), tracks };
  return orRefusal(writeApi<Playlist>(c, "POST", "/playlists", { playlist }), 422);
}

const showNew = (c: Context<AppEnv>, state: FormState): Response =>
  showSite(
    c,
    { title: "New set", status: state === EMPTY ? 200 : 422, styles: ["own.css"] },
    <div class="own">
      <h1>New set</h1>
      <section class="card">
        <NewSetForm action={NEW} token={formToken(c, NEW)} state={state} />
      </section>
    </div>,
  );

interface NewSetProps {
  action: string;
  token: string;
  state: FormState;
  hidden?: Record<string, string>;
  /** Selector of the element to focus once the set is created. */
  then?: string;
}

export const NewSetForm = ({ action, token, state, hidden = {}, then }: NewSetProps) => (
  <Form
    name="new"
    action={action}
    token={token}
    state={state}
    hidden={hidden}
    {...(then && { then })}
    labels={labelsOf(NEW_SET_FIELDS)}
    submit="Create the set"
  >
    <Groups form="new" state={state} groups={NEW_SET_FIELDS} />
  </Form>
);
