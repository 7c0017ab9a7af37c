import type { Context } from "hono";
import type { WebProfile } from "../../../api/web-profiles/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { changedIn, digest, shownIn, shownOf } from "../../../ui/changed-fields.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { ApiRefusal, orRefusal, readApi, writeApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";

/** Subject of the form token. */
export const LINKS = "links of the profile";

/** The API's limit, and empty rows after the last. */
const MOST = 20;
const EMPTY_ROWS = 3;

type Sent = Record<string, string>;

/** Shows the links on the reader's profile, for editing. */
export async function showLinks(c: Context<AppEnv>, sent?: FormState): Promise<Response> {
  const state = sent ?? {
    values: valuesOf(await readApi<WebProfile[]>(c, "/me/web-profiles")),
    problems: {},
  };
  const filled = Math.max(
    0,
    ...Object.keys(state.values).map((name) => Number(/^url_(\d+)$/.exec(name)?.[1] ?? -1) + 1),
  );
  const rows = Math.min(MOST, sent ? filled : filled + EMPTY_ROWS);
  return showSite(
    c,
    { title: "Links on your profile", status: sent ? 422 : 200 },
    <div class="settings">
      <header class="page-head">
        <h1>Links on your profile</h1>
        <a href={`${c.env.AUTH_URL}/settings`} data-turbo="false">
          Settings
        </a>
      </header>
      {!sent && c.req.query("notice") === "saved" && (
        <p class="done" role="status">
          Saved.
        </p>
      )}
      <section class="card">
        <p>
          Your other pages, such as your own site. To remove a link, empty its address. Save to get more rows.
        </p>
        <Form
          name="links"
          action="/you/links"
          token={formToken(c, LINKS)}
          state={state}
          labels={labelsOf(rows)}
          hidden={shownIn(state)}
          submit="Save"
        >
          {Array.from({ length: rows }, (_, at) => (
            <fieldset class="checks pair">
              <legend class="sr-only">Link {at + 1}</legend>
              <Field
                form="links"
                name={`url_${at}`}
                label={`Address ${at + 1}`}
                type="url"
                state={state}
                maxlength={500}
                optional
              />
              <Field
                form="links"
                name={`title_${at}`}
                label={`Title ${at + 1}`}
                state={state}
                maxlength={100}
                optional
              />
            </fieldset>
          ))}
        </Form>
      </section>
    </div>,
  );
}

const labelsOf = (rows: number) =>
  Object.fromEntries(Array.from({ length: rows }, (_, at) => [`url_${at}`, `Address ${at + 1}`]));

const valuesOf = (profiles: WebProfile[]): FormState["values"] =>
  Object.fromEntries(
    profiles.flatMap(({ url, title }, at) => [
      [`url_${at}`, url],
      [`title_${at}`, title],
    ]),
  );

/** Saves the rows with an address. Returns the form to show again if one is invalid. */
export async function saveLinks(c: Context<AppEnv>, sent: Sent): Promise<FormState | undefined> {
  const links = mergedLinks(sent, await readApi<WebProfile[]>(c, "/me/web-profiles"));
  const web_profiles = links.map(({ link }) => link);
  const saved = await orRefusal(writeApi(c, "PUT", "/me/web-profiles", { web_profiles }), 422);
  if (!(saved instanceof ApiRefusal)) return undefined;
  const rows = links.map(({ row }) => row);
  return { values: sent, problems: problemsOf(saved, rows) };
}

interface MergedLink {
  /** `undefined` for a link that the form did not show. */
  row?: number;
  link: Pick<WebProfile, "url" | "title"> & Partial<WebProfile>;
}

/**
 * Applies the user's changes to the present links: another window may have changed others. The API sets fields that the
 * form does not show, such as the name at the service, which stays with its address.
 */
function mergedLinks(sent: Sent, present: WebProfile[]): MergedLink[] {
  const shown = shownOf(sent);
  const rows = Array.from({ length: MOST }, (_, row) => row).filter((row) => sent[`url_${row}`]?.trim());
  const mine = rows.flatMap((row): MergedLink[] => {
    const { [`url_${row}`]: url = "", [`title_${row}`]: title = "" } = sent;
    const stored = present.find((link) => link.url === url.trim());
    const changes = Object.keys(changedIn(sent, { [`url_${row}`]: url, [`title_${row}`]: title }));
    if (changes.length === 0) return stored ? [{ row, link: stored }] : [];
    return [{ row, link: { url: url.trim(), title, service: stored?.service, username: stored?.username } }];
  });
  const known = new Set(
    [...(shown ?? [])].flatMap(([name, value]) => (name.startsWith("url_") ? value : [])),
  );
  const isTheirs = ({ url }: WebProfile) =>
    !known.has(digest(url)) && !mine.some(({ link }) => link.url === url);
  return shown ? [...mine, ...present.filter(isTheirs).map((link) => ({ link }))] : mine;
}

/** The API numbers rows among those with an address. */
const problemsOf = ({ problems }: ApiRefusal, rows: (number | undefined)[]): FormState["problems"] =>
  Object.fromEntries(
    Object.entries(problems).map(([place, problem]) => {
      const row = /^\d+$/.test(place) ? rows[Number(place)] : undefined;
      return [row === undefined ? "" : `url_${row}`, problem];
    }),
  );
