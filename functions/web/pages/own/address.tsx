import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { isId } from "../../../lib/text/fields.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, readApi, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";

/** {web_url}: changes the address of a track, a set or the reader's profile. */
export const addresses = new Routes({ renderError: showSiteError });

/** The API's `permalink` of a resource. */
interface Address {
  permalink: string;
  permalink_url: string;
  former_permalinks: string[];
}

const PROFILE_HINT =
  "Your tracks and sets move with it. You can change it three times in 30 days, and always return to a former one.";

const HINT = "Links to the current address keep working.";

/** The page, and the path of the API, for the track or set in the query, or else for the profile. */
function askedIn(c: Context<AppEnv>) {
  const { track, set } = c.req.query();
  const page = (query: string) => `${PATH}?${query}`;
  if (track !== undefined) return { page: page(`track=${idOf(track)}`), api: `/tracks/${track}`, hint: HINT };
  if (set !== undefined) return { page: page(`set=${idOf(set)}`), api: `/playlists/${set}`, hint: HINT };
  return { page: PATH, api: "/me", hint: PROFILE_HINT };
}

const idOf = (text: string): string => (isId(text) ? text : notFound("Page"));

const PATH = "/you/address";

addresses.page(PATH, (c) => show(c));

addresses.form(PATH, async (c) => {
  const { page, api } = askedIn(c);
  const sent = await readOwnForm(c, formPage(c, page));
  const permalink = (sent.permalink ?? "").trim();
  try {
    const { permalink_url } = await writeApi<Address>(c, "PUT", `${api}/permalink`, { permalink });
    return seeOther(c, new URL(permalink_url).pathname);
  } catch (error) {
    if (!(error instanceof ApiRefusal) || !("permalink" in error.problems)) throw error;
    return show(c, { values: { permalink }, problems: error.problems });
  }
});

/** `again` is the refused form, if any. */
async function show(c: Context<AppEnv>, again?: FormState): Promise<Response> {
  const { page, api, hint } = askedIn(c);
  const {
    permalink,
    permalink_url,
    former_permalinks: former,
  } = await readApi<Address>(c, `${api}/permalink`);
  const base = permalink_url.slice(0, -permalink.length);
  return showSite(
    c,
    { title: "Change the address", status: again ? 422 : 200, styles: ["own.css"] },
    <section class="card message">
      <h1>Change the address</h1>
      <p>
        It is now <a href={permalink_url}>{permalink_url}</a>.
      </p>
      <Form
        name="address"
        action={page}
        token={formToken(c, page)}
        state={again}
        labels={{ permalink: "Address" }}
        submit="Change the address"
      >
        <Field
          form="address"
          name="permalink"
          label="Address"
          hint={`The part after ${base}. ${hint}`}
          state={again ?? { values: { permalink }, problems: {} }}
          autocomplete="off"
          maxlength={100}
        />
      </Form>
      {former.length > 0 && (
        <>
          <h2>Former addresses</h2>
          <p>They lead to the current one, and nobody else can take them.</p>
          <ul class="former-addresses">
            {former.map((one) => (
              <li>{base + one}</li>
            ))}
          </ul>
        </>
      )}
    </section>,
  );
}
