import type { Child } from "hono/jsx";
import type { Env } from "../../lib/http/env.ts";
import { assetUrl } from "../../ui/assets.ts";
import { Page } from "../../ui/layout.tsx";
import { Logo } from "../../ui/logo.tsx";
import { siteName } from "../../ui/name.ts";

interface FrameProps {
  env: Env;
  title: string;
  /** Shows only the decision, for pop-ups and phones. */
  popup?: boolean;
  children?: Child;
}

export const Frame = ({ env, title, popup = false, children }: FrameProps) =>
  popup ? (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${siteName(env)}`}</title>
        <link rel="icon" type="image/svg+xml" href={assetUrl(env, "logo.svg")} />
        <link rel="stylesheet" href={assetUrl(env, "style.css")} />
      </head>
      <body class="popup">
        <header class="bar">
          <span class="brand">
            <Logo />
            {siteName(env)}
          </span>
        </header>
        <main id="main">{children}</main>
      </body>
    </html>
  ) : (
    <Page env={env} title={`${title} · ${siteName(env)}`}>
      {children}
    </Page>
  );
