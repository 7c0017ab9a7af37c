import type { Context } from "hono";
import type { AppEnv } from "../../lib/http/env.ts";
import { assetUrl } from "../../ui/assets.ts";
import { showCard } from "../../ui/page.tsx";

/** Seen only where its script cannot close the window. */
export const showSignedIn = (c: Context<AppEnv>): Response =>
  showCard(c, {
    title: "You are signed in",
    body: (
      <>
        <p>Close this window: the page that you came from goes on.</p>
        <a class="button quiet" href="/">
          To the home page
        </a>
        <script type="module" src={assetUrl(c.env, "signed-in.client.js")} />
      </>
    ),
  });
