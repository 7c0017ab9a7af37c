import type { Context } from "hono";
import * as z from "zod";
import {
  findNewsChoices,
  NEWS_TIMES,
  type NewsChoices,
  saveNewsChoices,
} from "../../../../db/queries/news-mails.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { changedIn, shownIn } from "../../../ui/changed-fields.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { asReader } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite } from "../../../ui/site-page.tsx";
import { KIND_NAMES } from "./news-words.ts";

/** Subject of the form token. */
const MAILS = "mails about news";

const TIME_NAMES: Record<(typeof NEWS_TIMES)[number], string> = {
  off: "No mail",
  once: "At once",
  daily: "In the daily mail",
};

const Time = z.enum(NEWS_TIMES, { error: `must be one of ${Object.values(TIME_NAMES).join(", ")}` });
const Choices = z.object({ comments: Time, followers: Time, likes: Time, tracks: Time });

const KINDS = Object.keys(KIND_NAMES) as (keyof NewsChoices)[];

/** Shows which news the reader gets by mail. */
export async function showNewsMails(c: Context<AppEnv>, sent?: FormState): Promise<Response> {
  const { email, confirmed, choices } = await asReader(c, (viewer) => findNewsChoices(c.var.db, viewer));
  const state = sent ?? { values: choices, problems: {} };
  return showSite(
    c,
    { title: "Mails about news", status: sent ? 422 : 200 },
    <div class="settings">
      <header class="page-head">
        <h1>Mails about news</h1>
        <a href="/you/notifications">Notifications</a>
      </header>
      {!sent && c.req.query("notice") === "saved" && (
        <p class="done" role="status">
          Saved.
        </p>
      )}
      <section class="card">
        <p>
          You get none unless you choose it here. Each has a link that ends it. “At once” means within
          minutes, and at most one mail an hour of each kind; the daily mail comes in the morning, if there is
          something to tell.
        </p>
        <p>
          They go to <strong>{email}</strong>
          {confirmed ? "." : ", once you have confirmed that it is yours."}{" "}
          <a href={`${c.env.AUTH_URL}/settings#email`} data-turbo="false">
            {confirmed ? "Change the address" : "Confirm the address"}
          </a>
        </p>
        <Form
          name="mails"
          action="/you/notifications/mails"
          token={formToken(c, MAILS)}
          state={state}
          labels={KIND_NAMES}
          hidden={shownIn(state)}
          submit="Save"
        >
          {KINDS.map((kind) => (
            <Field
              form="mails"
              name={kind}
              label={KIND_NAMES[kind]}
              state={state}
              options={NEWS_TIMES.map((time) => [time, TIME_NAMES[time]])}
            />
          ))}
        </Form>
      </section>
    </div>,
  );
}

/** Saves the choices that the reader changed. */
export async function saveNewsMails(c: Context<AppEnv>): Promise<Response> {
  const sent = await readOwnForm(c, MAILS);
  const given = Choices.safeParse(sent);
  if (!given.success) {
    const problems = given.error.issues.map(({ path, message }) => [String(path[0]), message]);
    return showNewsMails(c, { values: sent, problems: Object.fromEntries(problems) });
  }
  const changes = changedIn(sent, given.data);
  await asReader(c, async (viewer) => {
    const { choices } = await findNewsChoices(c.var.db, viewer);
    await saveNewsChoices(c.var.db, viewer, { ...choices, ...changes });
  });
  return seeOther(c, "/you/notifications/mails?notice=saved");
}
