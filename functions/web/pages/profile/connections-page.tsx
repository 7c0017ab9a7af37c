import type { Context } from "hono";
import type { Connection } from "../../../api/connections/representation.ts";
import { offeredServices, serviceTitle } from "../../../api/connections/services.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { shownIn } from "../../../ui/changed-fields.ts";
import { Form } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { listPath, type PageOf } from "../discovery/lists.ts";
import { More, withCursor } from "../rows/paging.tsx";

/** Subject of the tokens of one connection's forms. */
export const connected = (id: number) => `connection ${id}`;

/** Subject of the tokens of forms that start a connection. */
export const CONNECT = "connect a profile";

/** Shows the reader's profiles at other services, and their posts. */
export async function showConnections(c: Context<AppEnv>): Promise<Response> {
  const path = withCursor(listPath("/me/connections"), c.req.url);
  const { collection, next_href } = await readApi<PageOf<Connection>>(c, path);
  const reader = readerOf(c);
  const services = offeredServices(c.env);
  const authorities = [...services.values()].map((service) => new URL(service.authorization_endpoint).origin);
  const success = c.req.query("success");
  return showSite(
    c,
    { title: "Connections", reader, formAction: ["'self'", ...authorities].join(" ") },
    <div class="settings">
      <header class="page-head">
        <h1>Connections</h1>
        <a href={`${c.env.AUTH_URL}/settings`} data-turbo="false">
          Settings
        </a>
      </header>
      {success !== undefined && (
        <p class="notice" role="status">
          {success === "true" ? "Connected." : "Nothing was connected."}
        </p>
      )}
      {collection.length === 0 && (
        <section class="card">
          <p class="empty">
            You have no connection. Connect a profile at another service, and your tracks can be posted there.
          </p>
        </section>
      )}
      {collection.map((connection) => (
        <OneConnection connection={connection} token={formToken(c, connected(connection.id))} />
      ))}
      <More reader={reader} next={next_href} />
      {[...services.keys()].filter(isFirstOfItsTitle).map((service) => (
        <Form
          name={`connect-${service}`}
          action="/you/connections"
          token={formToken(c, CONNECT)}
          hidden={{ service }}
          submit={`Connect a profile at ${serviceTitle(service)}`}
          kind="quiet"
          unswapped
        />
      ))}
    </div>,
  );
}

/** One consent connects a profile and its pages. */
const isFirstOfItsTitle = (service: string, at: number, all: string[]): boolean =>
  all.findIndex((other) => serviceTitle(other) === serviceTitle(service)) === at;

const OneConnection = ({ connection, token }: { connection: Connection; token: string }) => {
  const { id, service, display_name, post_favorite, post_publish } = connection;
  const values = { post_publish: post_publish ? "on" : "", post_favorite: post_favorite ? "on" : "" };
  return (
    <section class="card">
      <h2>
        {display_name} at {serviceTitle(service)}
      </h2>
      <Form
        name={`connection-${id}`}
        action={`/you/connections/${id}`}
        token={token}
        hidden={shownIn({ values, problems: {} })}
        submit="Save"
      >
        <label class="check">
          <input type="checkbox" name="post_publish" value="on" checked={post_publish} />
          Post there when you publish a track
        </label>
        <label class="check">
          <input type="checkbox" name="post_favorite" value="on" checked={post_favorite} />
          Post there when you like a track
        </label>
      </Form>
      <Form
        name={`delete-${id}`}
        action={`/you/connections/${id}/delete`}
        token={token}
        submit="Disconnect"
        kind="danger"
      />
    </section>
  );
};
