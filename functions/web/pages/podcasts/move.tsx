import type { Context } from "hono";
import type { ImportEpisode, PodcastImport } from "../../../api/imports/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { EMPTY, Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, orRefusal, readApi, SignInNeeded, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { siteViewer } from "../../../ui/viewer.ts";
import { withCursor } from "../rows/paging.tsx";
import { Episodes, Facts, headOf, Progress, Proof, pathOf, WhatNext } from "./moving.tsx";

/** {web_url}: moves a podcast in from another host. */
export const movePages = new Routes({ renderError: showSiteError });

const MOVE = "/you/podcasts/move";
const ONE = "/you/podcasts/move/:id";

/** Subject of the form tokens. */
const MOVING = "move a podcast";

/** Seconds between two loads without a script. */
const LOAD_EVERY_S = 10;

const LABELS = { feed_url: "Address of the feed" };

/** Statuses whose causes the form shows. */
const REFUSALS = [403, 409, 422] as const;

movePages.page(MOVE, (c) => {
  if (!siteViewer(c)) throw new SignInNeeded();
  return showStart(c, EMPTY);
});

movePages.form(MOVE, async (c) => {
  formPage(c, MOVE);
  const sent = await readOwnForm(c, MOVING);
  const podcast_import = { feed_url: sent.feed_url };
  const write = writeApi<PodcastImport>(c, "POST", "/me/podcast-imports", { podcast_import });
  const made = await orRefusal(write, ...REFUSALS);
  return made instanceof ApiRefusal
    ? showStart(c, { values: sent, problems: made.problems })
    : seeOther(c, pathOf(made));
});

movePages.page(ONE, (c) => showOne(c, Number(c.req.param("id")), EMPTY));

movePages.form(ONE, async (c) => {
  const { id, sent } = await formOf(c);
  // An empty code would be no code, which asks for the text in the feed.
  const code = sent.in_feed === "yes" ? {} : { code: sent.code?.trim() || "none" };
  const write = writeApi<PodcastImport>(c, "POST", `/me/podcast-imports/${id}/confirm`, code);
  const confirmed = await orRefusal(write, ...REFUSALS);
  return confirmed instanceof ApiRefusal
    ? showOne(c, id, { values: sent, problems: confirmed.problems })
    : seeOther(c, pathOf({ id }));
});

movePages.form(`${ONE}/stop`, async (c) => {
  const { id } = await formOf(c);
  await writeApi(c, "DELETE", `/me/podcast-imports/${id}`);
  return seeOther(c, pathOf({ id }));
});

movePages.form(`${ONE}/episodes/:episode/retry`, async (c) => {
  const { id } = await formOf(c);
  await writeApi(c, "POST", `/me/podcast-imports/${id}/episodes/${Number(c.req.param("episode"))}/retry`);
  return seeOther(c, pathOf({ id }));
});

async function formOf(c: Context<AppEnv>) {
  const id = Number(c.req.param("id"));
  formPage(c, pathOf({ id }));
  return { id, sent: await readOwnForm(c, MOVING) };
}

async function showStart(c: Context<AppEnv>, state: FormState): Promise<Response> {
  const imports = await readApi<PodcastImport[]>(c, "/me/podcast-imports?limit=10");
  return showSite(
    c,
    { title: "Move a podcast here", status: state === EMPTY ? 200 : 422, styles: ["own.css"] },
    <div class="own">
      <h1>Move a podcast here</h1>
      <section class="card">
        <p>
          Enter the address of your podcast's RSS feed. We show what would come and ask whether it is yours;
          nothing is moved before that. Episodes keep their dates, notes, pictures and GUIDs, so your
          subscribers notice nothing.
        </p>
        <Form
          name="move"
          action={MOVE}
          token={formToken(c, MOVING)}
          state={state}
          labels={LABELS}
          submit="Read the feed"
        >
          <Field
            form="move"
            state={state}
            name="feed_url"
            label={LABELS.feed_url}
            type="url"
            maxlength={2000}
            placeholder="https://"
          />
        </Form>
      </section>
      {imports.length > 0 && <Earlier imports={imports} />}
    </div>,
  );
}

const Earlier = ({ imports }: { imports: PodcastImport[] }) => (
  <section class="card">
    <h2>Your moves</h2>
    <ul class="moving-episodes">
      {imports.map((moving) => (
        <li>
          <a href={pathOf(moving)}>
            <bdi>{moving.title}</bdi>
          </a>
          <span class="moving-state">{headOf(moving)}</span>
        </li>
      ))}
    </ul>
  </section>
);

async function showOne(c: Context<AppEnv>, id: number, state: FormState): Promise<Response> {
  const path = `/me/podcast-imports/${id}`;
  const episodesPath = withCursor(`${path}/episodes?limit=50&linked_partitioning=true`, c.req.url);
  const [moving, page] = await Promise.all([
    readApi<PodcastImport>(c, path),
    readApi<{ collection: ImportEpisode[]; next_href?: string }>(c, episodesPath),
  ]);
  const token = formToken(c, MOVING);
  const reader = readerOf(c);
  const { waiting, fetching, encoding } = moving.episodes;
  const isMoving =
    moving.state !== "preview" && moving.state !== "cancelled" && waiting + fetching + encoding > 0;
  const parts = { moving, token };
  return showSite(
    c,
    {
      title: `Moving ${moving.title}`,
      reader,
      status: state === EMPTY ? 200 : 422,
      styles: ["own.css"],
      // Scripts within the list would not run when it is swapped.
      scripts: ["own.client.js", "copy-text.client.js"],
      head: isMoving && (
        <noscript>
          <meta http-equiv="refresh" content={String(LOAD_EVERY_S)} />
        </noscript>
      ),
    },
    <div class="own">
      <header class="own-head">
        <h1>
          <bdi>{moving.title}</bdi>
        </h1>
        <a href={MOVE}>Your moves</a>
      </header>
      <own-list data-waits={isMoving ? "yes" : undefined}>
        <section class="card">
          <h2>The podcast</h2>
          <Facts moving={moving} />
        </section>
        {moving.state === "preview" ? <Proof {...parts} state={state} /> : <Progress {...parts} />}
        {moving.state === "done" && moving.playlist_url && !moving.playlist_removed && (
          <WhatNext feed={`${moving.playlist_url}/feed.xml`} />
        )}
        <Episodes {...parts} reader={reader} episodes={page.collection} next={page.next_href} />
      </own-list>
    </div>,
  );
}
