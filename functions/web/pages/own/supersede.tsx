import type { Context } from "hono";
import type { Track } from "../../../api/tracks/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { isId } from "../../../lib/text/fields.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, orRefusal, readApi, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";

/** {web_url}: lets a new upload take the place of an older track. Begins at either of the two. */
export const supersede = new Routes({ renderError: showSiteError });

const REPLACE = "/you/replace";
const TAKE_PLACE = "/you/take-place";

/** Most tracks to choose from. An older one is replaced from its own edit page. */
const OFFERED = 200;

/** The track in the query. */
const idOf = (c: Context<AppEnv>): string => {
  const { track = "" } = c.req.query();
  return isId(track) ? track : notFound("Page");
};

const pageOf = (c: Context<AppEnv>): string => `${c.req.path}?track=${idOf(c)}`;

const ownTrack = (c: Context<AppEnv>): Promise<Track> => readApi<Track>(c, `/me/tracks/${idOf(c)}`);

const offered = async (c: Context<AppEnv>, filter: "all" | "private", beside: Track) => {
  const tracks = await readApi<Track[]>(c, `/me/tracks?filter=${filter}&limit=${OFFERED}`);
  return tracks.filter(({ id, takedown }) => id !== beside.id && !takedown);
};

const optionsOf = (tracks: Track[]): [value: string, label: string][] => [
  ["", "Choose a track"],
  ...tracks.map(({ id, title, created_at }): [string, string] => [
    String(id),
    `${title} (${created_at.slice(0, 10).replaceAll("/", "-")})`,
  ]),
];

/** Sends the choice to the API, or shows the form again. */
async function take(
  c: Context<AppEnv>,
  choiceOf: (sent: Record<string, string>) => { taker: string; old: string },
  show: (c: Context<AppEnv>, again: FormState) => Promise<Response>,
): Promise<Response> {
  const sent = await readOwnForm(c, formPage(c, pageOf(c)));
  const { taker, old } = choiceOf(sent);
  const refuse = (problem: string) => show(c, { values: sent, problems: { track: problem } });
  if (!isId(taker) || !isId(old)) return refuse("must be chosen");
  const json = { superseded_id: Number(old) };
  const taken = await orRefusal(writeApi<Track>(c, "POST", `/tracks/${taker}/supersede`, json), 409, 422);
  return taken instanceof ApiRefusal
    ? refuse("cannot be chosen: both must be yours, and the new one ready")
    : seeOther(c, new URL(taken.permalink_url).pathname);
}

supersede.page(REPLACE, (c) => showReplace(c));
supersede.form(REPLACE, (c) => take(c, ({ track = "" }) => ({ taker: track, old: idOf(c) }), showReplace));
supersede.page(TAKE_PLACE, (c) => showTakePlace(c));
supersede.form(TAKE_PLACE, (c) =>
  take(c, ({ track = "" }) => ({ taker: idOf(c), old: track }), showTakePlace),
);

/** A preview of the page as it was would lack a new upload, and lose a choice that was made in it. */
const NO_PREVIEW = <meta name="turbo-cache-control" content="no-preview" />;

export const KEPT =
  "The new recording takes over the likes, reposts, comments, places in sets, plays and downloads, the address, the private link and the day of publication. The older recording is deleted and cannot be restored.";

async function showReplace(c: Context<AppEnv>, again?: FormState): Promise<Response> {
  const old = await ownTrack(c);
  if (old.takedown) return notFound("Track");
  const finished = (await offered(c, "private", old)).filter(({ state }) => state === "finished");
  return showSite(
    c,
    { title: `Replace ${old.title}`, status: again ? 422 : 200, head: NO_PREVIEW, styles: ["own.css"] },
    <section class="card message">
      <h1>{`Replace “${old.title}” with a new upload`}</h1>
      <p>Upload the new recording as a private track. Once it is ready, choose it here.</p>
      <p>{KEPT}</p>
      {finished.length > 0 && (
        <Choice
          c={c}
          again={again}
          label="New upload"
          tracks={finished}
          submit="Replace the older recording"
        />
      )}
      <div class="own-actions">
        <a
          class={finished.length > 0 ? "button quiet" : "button"}
          href={`/upload?${new URLSearchParams({ replaces: String(old.id) })}`}
        >
          Upload a new recording
        </a>
      </div>
    </section>,
  );
}

async function showTakePlace(c: Context<AppEnv>, again?: FormState): Promise<Response> {
  const taker = await ownTrack(c);
  if (taker.state !== "finished" || taker.takedown) return notFound("Track");
  const others = await offered(c, "all", taker);
  return showSite(
    c,
    {
      title: `Replace a track with ${taker.title}`,
      status: again ? 422 : 200,
      head: NO_PREVIEW,
      styles: ["own.css"],
    },
    <section class="card message">
      <h1>{`Replace another track with “${taker.title}”`}</h1>
      <p>{KEPT}</p>
      {others.length > 0 ? (
        <Choice c={c} again={again} label="Older track" tracks={others} submit="Replace the older track" />
      ) : (
        <p>You have no other track to replace.</p>
      )}
    </section>,
  );
}

interface ChoiceProps {
  c: Context<AppEnv>;
  again: FormState | undefined;
  label: string;
  tracks: Track[];
  submit: string;
}

const Choice = ({ c, again, label, tracks, submit }: ChoiceProps) => (
  <Form
    name="supersede"
    action={pageOf(c)}
    token={formToken(c, pageOf(c))}
    state={again}
    labels={{ track: label }}
    submit={submit}
    kind="danger"
  >
    <Field form="supersede" name="track" label={label} state={again} options={optionsOf(tracks)} />
  </Form>
);
