import type { Child } from "hono/jsx";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { assetUrl } from "../../ui/assets.ts";
import { Logo } from "../../ui/logo.tsx";
import { siteName } from "../../ui/name.ts";

interface FrameProps {
  env: Env;
  title: string;
  /** Shows no way to other pages, for pop-ups and phones. */
  popup?: boolean;
  children?: Child;
}

/** The frame of a decision. It has no search, menu or player: nothing else is to be pressed, and no form leads elsewhere. */
export const Frame = ({ env, title, popup = false, children }: FrameProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${siteName(env)}`}</title>
      <link rel="icon" type="image/svg+xml" href={assetUrl(env, "logo.svg")} />
      <link rel="stylesheet" href={assetUrl(env, "style.css")} />
    </head>
    <body class={popup ? "popup" : undefined}>
      <header class="bar">
        {popup ? (
          <span class="brand">
            <Brand env={env} />
          </span>
        ) : (
          <a class="brand" href={webUrl(env, "/")}>
            <Brand env={env} />
          </a>
        )}
      </header>
      <main id="main">{children}</main>
    </body>
  </html>
);

const Brand = ({ env }: { env: Env }) => (
  <>
    <Logo />
    {siteName(env)}
  </>
);
