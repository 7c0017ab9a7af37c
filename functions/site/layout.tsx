import type { Child } from "hono/jsx";
import type { Env } from "../http/env.ts";
import { apiUrl, webUrl } from "../http/links.ts";
import { assetUrl } from "./assets.ts";
import { Account, type Reader } from "./bar.tsx";
import { Logo } from "./logo.tsx";

interface PageProps {
  env: Env;
  title: string;
  head?: Child;
  /** File names of our own scripts. */
  scripts?: string[];
  wide?: boolean;
  /** Set for a page that shows who is signed in. Caches share the others. */
  reader?: Reader;
  children?: Child;
}

/** The frame of every page. */
export const Page = ({ env, title, head, scripts = [], wide = false, reader, children }: PageProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={assetUrl(env, "logo.svg")} />
      <link rel="stylesheet" href={assetUrl(env, "style.css")} />
      {scripts.map((name) => (
        <script type="module" src={assetUrl(env, name)} />
      ))}
      {head}
    </head>
    <body class={wide ? "wide" : undefined}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href={webUrl(env, "/")}>
          <Logo />
          Soundpost
        </a>
        <nav aria-label="Site">
          <a href={apiUrl(env, "/docs")}>API reference</a>
          {reader ? (
            <Account env={env} reader={reader} />
          ) : (
            <>
              <a href={webUrl(env, "/session/new")}>Sign in</a>
              <a href={`${env.AUTH_URL}/settings`}>Account</a>
            </>
          )}
        </nav>
      </header>
      <main id="main">{children}</main>
      <footer class="bar">
        <p>Soundpost is an open, self-hostable audio sharing platform.</p>
        <a href={apiUrl(env, "/openapi.json")}>OpenAPI document</a>
      </footer>
    </body>
  </html>
);
