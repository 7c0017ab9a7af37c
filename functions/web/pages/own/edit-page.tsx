import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { MAX_IMAGE_BYTES } from "../../../api/images/limits.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { Apart } from "../../../ui/apart.tsx";
import { readerOf } from "../../../ui/bar.tsx";
import { formToken, readOwnParts } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import {
  basisOf,
  type EditKind,
  PICTURE,
  type Refused,
  type Sent,
  type Shown,
  save,
  stateAfter,
} from "./edit.ts";
import { EditForm } from "./edit-form.tsx";
import { valuesOf, without } from "./fields.tsx";
import { PrivateLink } from "./private-link.tsx";
import { inUtc } from "./time-field.tsx";
import { PUBLISH_AT, SHARING } from "./track-fields.ts";

/** A track or a set, as the API represents it to its owner. */
interface Owned extends Record<string, unknown> {
  id: number;
  title: string;
  permalink_url: string;
  artwork_url: string | null;
  sharing: "public" | "private";
  secret_token?: string | undefined;
}

/** The subject of an edit page. */
interface Edited {
  owned: Owned;
  /** The word for it. Default: that of its kind. */
  called?: string;
  updatedAt: string;
  /** Whether operators removed it, so that nobody can share it. */
  isDown: boolean;
  /** Shown before the form. */
  intro: Child;
  /** Leads to what replaces it, or what it replaces. */
  replacing?: Child;
}

interface EditPage {
  path: string;
  kind: EditKind;
  /** Finds the resource in the path. Throws 404, or sends visitors to the sign-in. */
  find(c: Context<AppEnv>): Promise<Edited>;
}

/** The page where owners edit a track or a set. */
export function editPage({ path, kind, find }: EditPage): Routes {
  const routes = new Routes({ renderError: showSiteError });
  routes.page(path, async (c) => show(c, kind, await find(c)));
  routes.form(path, async (c) => {
    const page = formPage(c, c.req.path);
    const { fields, file } = await readOwnParts(c, page, { field: PICTURE, maxBytes: MAX_IMAGE_BYTES });
    const sent = { fields: inUtc(fields, PUBLISH_AT.name), file };
    const refused = await saveForm(c, { kind, find }, sent);
    if (!refused) return seeOther(c, page.replace(/\/edit$/, ""));
    return show(c, kind, refused.edited, refused);
  });
  return routes;
}

/** Saves a form. Accepts a newer version if every value that the form showed is unchanged. */
async function saveForm(
  c: Context<AppEnv>,
  { kind, find }: Omit<EditPage, "path">,
  sent: Sent,
): Promise<(Refused & { edited: Edited }) | undefined> {
  let refusal = await save(c, kind, sent);
  if (!refusal) return undefined;
  let edited = await find(c);
  const { digest, version } = shownOf(kind, edited).basis;
  if (refusal.status === 412 && sent.fields.digest === digest) {
    refusal = await save(c, kind, sent, version);
    if (!refusal) return undefined;
    // Its fields may be saved although its picture was refused.
    edited = await find(c);
  }
  return { edited, ...stateAfter(refusal, sent, shownOf(kind, edited), kind.groups) };
}

function shownOf({ groups }: EditKind, { owned, updatedAt }: Edited): Shown {
  const values = valuesOf(groups, owned);
  return { values, basis: basisOf(values, updatedAt) };
}

/** `again` is the refused form, if any. */
function show(c: Context<AppEnv>, kind: EditKind, edited: Edited, again?: Refused): Response {
  const { word, groups, feedSettings, deleting } = kind;
  const { owned, isDown, intro, called = word } = edited;
  const { id, title, permalink_url, artwork_url } = owned;
  const reader = readerOf(c);
  const shown = shownOf(kind, edited);
  return showSite(
    c,
    {
      title: `Edit ${title}`,
      reader,
      status: again ? 422 : 200,
      styles: ["own.css"],
      scripts: ["own.client.js"],
    },
    <div class="own">
      <header class="own-head">
        <h1>Edit {called}</h1>
        <div class="own-actions">
          <Apart>
            <a href={permalink_url}>
              <bdi>{title}</bdi>
            </a>
            <a href={`${permalink_url}/${feedSettings.path}`}>{feedSettings.label}</a>
          </Apart>
        </div>
      </header>
      {intro}
      <EditForm
        action={c.req.path}
        token={formToken(c, c.req.path)}
        state={again?.state ?? { values: shown.values, problems: {} }}
        groups={isDown ? without(PUBLISH_AT, without(SHARING, groups)) : groups}
        hidden={{ id: String(id), ...(again?.basis ?? shown.basis) }}
        artwork={artwork_url}
      />
      {!isDown && <PrivateLink env={c.env} reader={reader} owned={owned} act={kind.replaceLink} />}
      <section class="own-section">
        <h2>Address</h2>
        <p>The address is {permalink_url}. You can change it: links, feeds and players go on working.</p>
        <a class="button quiet" href={`/you/address?${word}=${id}`}>
          Change the address …
        </a>
      </section>
      {edited.replacing}
      <section class="own-section">
        <h2>Delete</h2>
        <p>{deleting}</p>
        <a class="button danger" href={`/you/${word}s/${id}/delete`}>
          Delete this {called} …
        </a>
      </section>
    </div>,
  );
}
