import type { Context } from "hono";
import type { Connection } from "../../connections/representation.ts";
import type { AppEnv } from "../../http/env.ts";
import { readerOf } from "../../site/bar.tsx";
import { Form } from "../../site/form.tsx";
import { formToken } from "../../site/form-guard.ts";
import { readApi } from "../../site/own-api.ts";
import { showSite } from "../../site/site-page.tsx";
import { listPath, type PageOf } from "../discovery/lists.ts";
import { More, withCursor } from "../paging.tsx";

/** Subject of the tokens of one connection's forms. */
export const connected = (id: number) => `connection ${id}`;

/** Shows the reader's profiles at other services, and what is posted there. */
export async function showConnections(c: Context<AppEnv>): Promise<Response> {
  const path = withCursor(listPath("/me/connections"), { path: c.req.url });
  const { collection, next_href } = await readApi<PageOf<Connection>>(c, path);
  const reader = readerOf(c);
  return showSite(
    c,
    { title: "Connections", reader },
    <div class="settings">
      <header class="page-head">
        <h1>Connections</h1>
        <a href={`${c.env.AUTH_URL}/settings`} data-turbo="false">
          Settings
        </a>
      </header>
      {collection.length === 0 && (
        <section class="card">
          <p class="empty">
            You have no connection. Apps that you use may connect a profile of yours at another service.
          </p>
        </section>
      )}
      {collection.map((connection) => (
        <OneConnection connection={connection} token={formToken(c, connected(connection.id))} />
      ))}
      <More reader={reader} next={next_href} />
    </div>,
  );
}

const OneConnection = ({ connection, token }: { connection: Connection; token: string }) => {
  const { id, service, display_name, post_favorite, post_publish } = connection;
  return (
    <section class="card">
      <h2>
        {display_name} at {service}
      </h2>
      <Form name={`connection-${id}`} action={`/you/connections/${id}`} token={token} submit="Save">
        <label class="check">
          <input type="checkbox" name="post_publish" checked={post_publish} />
          Post there when you publish a track
        </label>
        <label class="check">
          <input type="checkbox" name="post_favorite" checked={post_favorite} />
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
