import type { Context } from "hono";
import { listSetsForTrack, SETS_SHOWN, type SetForTrack } from "../../../../db/queries/own-sets.ts";
import { artworkUrl } from "../../../api/images/links.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { apiUrl } from "../../../lib/http/links.ts";
import { Routes } from "../../../lib/http/route.ts";
import { isId } from "../../../lib/text/fields.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { EMPTY, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { Icon } from "../../../ui/icons.tsx";
import { ApiRefusal, asReader } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { number } from "../../../ui/words.ts";
import { ActButton } from "../acts/act-button.tsx";
import { Cover } from "../rows/cover.tsx";
import { pathWith } from "../rows/paging.tsx";
import { createSet, NewSetForm } from "./sets.tsx";

/** {web_url}: adds a track to the reader's sets, or removes it. */
export const addToSet = new Routes({ renderError: showSiteError });

const PATH = "/you/sets/add";

const idIn = (text: string | undefined): number => (isId(text) ? Number(text) : notFound("Page"));

addToSet.page(PATH, (c) => show(c, idIn(c.req.query("track")), EMPTY));

addToSet.form(PATH, async (c) => {
  const sent = await readOwnForm(c, PATH);
  const track = idIn(sent.track);
  const page = formPage(c, `${PATH}?track=${track}`);
  const made = await createSet(c, sent, [{ id: String(track) }]);
  if (!(made instanceof ApiRefusal)) return seeOther(c, page);
  return show(c, track, { values: sent, problems: made.problems });
});

async function show(c: Context<AppEnv>, id: number, state: FormState): Promise<Response> {
  const before = c.req.query("before");
  const { track, sets } = await asReader(c, (viewer) =>
    listSetsForTrack(c.var.db, viewer, id, before === undefined ? undefined : idIn(before)),
  );
  if (!track) return notFound("Page");
  const reader = readerOf(c);
  const shown = sets.slice(0, SETS_SHOWN);
  const last = sets.length > SETS_SHOWN ? shown.at(-1) : undefined;
  return showSite(
    c,
    {
      title: `Add ${track.title} to a set`,
      reader,
      status: state === EMPTY ? 200 : 422,
      styles: ["own.css"],
    },
    // The script shows the frame in a dialog on the page where the track was found.
    <turbo-frame id="add-to-set" class="own" target="_top">
      <header class="own-head">
        <h1>Add to a set</h1>
        <a href={`/${track.user.permalink}/${track.permalink}`} data-turbo-frame="_top">
          <bdi>{track.title}</bdi>
        </a>
      </header>
      {shown.length > 0 && (
        <section>
          <ul class="choices" aria-label="Your sets">
            {shown.map((set) => (
              <SetChoice env={c.env} reader={reader} set={set} id={id} title={track.title} />
            ))}
          </ul>
          {last && (
            <p class="paging">
              <a class="button quiet" rel="next" href={pathWith(reader.path, { before: String(last.id) })}>
                More
              </a>
            </p>
          )}
        </section>
      )}
      <details class="own-section fold" open={shown.length === 0 || state !== EMPTY}>
        <summary>New set</summary>
        <NewSetForm
          action={PATH}
          token={formToken(c, PATH)}
          state={state}
          hidden={{ track: String(id) }}
          then="#add-to-set .act-form button"
        />
      </details>
    </turbo-frame>,
  );
}

interface ChoiceProps {
  env: Env;
  reader: Reader;
  set: SetForTrack;
  /** The track's id. */
  id: number;
  title: string;
}

/** A set to tick: the whole row is the button. */
const SetChoice = ({ env, reader, set, id, title }: ChoiceProps) => {
  const covered = {
    ...set,
    kind: "playlist" as const,
    uri: apiUrl(env, `/playlists/${set.id}`),
    artwork_url: artworkUrl(env, set),
  };
  return (
    <li class={set.holds ? "chosen" : undefined}>
      <ActButton
        env={env}
        reader={reader}
        act={set.holds ? "remove-from-set" : "add-to-set"}
        id={set.id}
        fields={{ track: String(id) }}
      >
        <Cover of={covered} size="row" />
        <span class="choice-title">
          <span>
            <span class="sr-only">{set.holds ? `Remove ${title} from ` : `Add ${title} to `}</span>
            <bdi>{set.title}</bdi>
          </span>
          <small>
            {number(set.track_count)} {set.track_count === 1 ? "track" : "tracks"}
            {set.sharing === "private" && " · Private"}
          </small>
        </span>
        <Icon name="check" />
      </ActButton>
    </li>
  );
};
