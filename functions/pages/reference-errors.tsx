import type { Context } from "hono";
import { ERROR_TYPES } from "../error-types.ts";
import type { AppEnv } from "../http/env.ts";
import { reasonOf } from "../http/errors.ts";
import { Page } from "../site/layout.tsx";
import { sendPage } from "../site/policy.ts";
import { Prose } from "../site/prose.tsx";

/** Explains each error. `link` in an error leads to its section here. */
export function errorsPage(c: Context<AppEnv>): Response {
  const page = (
    <Page env={c.env} title="Errors · API reference" wide>
      <div class="sheets">
        <section class="introduction">
          <p class="eyebrow">API reference</p>
          <h1>Errors</h1>
          <p>
            The field <code>link</code> of an error leads to its section on this page.
          </p>
        </section>
        {Object.entries(ERROR_TYPES).map(([type, { status, cause, remedy }]) => (
          <section class="operation card" id={type}>
            <h2>
              <a href={`#${type}`}>{type}</a>
            </h2>
            <p class="type">
              {status} {reasonOf(status)}
            </p>
            <Prose text={`${cause} ${remedy}`} />
          </section>
        ))}
      </div>
    </Page>
  );
  return sendPage(c, page, { cacheControl: "public, max-age=300" });
}
