import type { Context } from "hono";
import type { AppEnv } from "../../http/env.ts";
import { Field, Form, type FormState } from "../../site/form.tsx";
import { formToken } from "../../site/form-guard.ts";
import { ApiRefusal, readApi, writeApi } from "../../site/own-api.ts";
import { showSite } from "../../site/site-page.tsx";
import type { WebProfile } from "../../web-profiles/representation.ts";

/** Subject of the form token. */
export const LINKS = "links of the profile";

/** The API's limit, and empty rows after the last. */
const MOST = 20;
const EMPTY_ROWS = 3;

type Sent = Record<string, string>;

/** Shows the links that stand on the reader's profile, to edit. */
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
              <input type="hidden" name={`username_${at}`} value={state.values[`username_${at}`] ?? ""} />
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
    profiles.flatMap(({ url, title, username }, at) =>
      Object.entries({ url, title, username }).map(([name, value]) => [`${name}_${at}`, value]),
    ),
  );

/** Saves the rows that have an address. Returns the form to show again if one is wrong. */
export async function saveLinks(c: Context<AppEnv>, sent: Sent): Promise<FormState | undefined> {
  const rows = Array.from({ length: MOST }, (_, at) => at).filter((at) => sent[`url_${at}`]?.trim());
  const web_profiles = rows.map((at) => ({
    url: sent[`url_${at}`]?.trim(),
    title: sent[`title_${at}`],
    username: sent[`username_${at}`],
  }));
  try {
    await writeApi(c, "PUT", "/me/web-profiles", { web_profiles });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 422) throw error;
    return { values: sent, problems: problemsOf(error, rows) };
  }
}

/** The API names a row by its place among those with an address. */
const problemsOf = ({ problems }: ApiRefusal, rows: number[]): FormState["problems"] =>
  Object.fromEntries(
    Object.entries(problems).map(([place, problem]) => {
      const row = /^\d+$/.test(place) ? rows[Number(place)] : undefined;
      return [row === undefined ? "" : `url_${row}`, problem];
    }),
  );
