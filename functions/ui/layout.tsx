import type { Child } from "hono/jsx";
import type { Env } from "../lib/http/env.ts";
import { apiUrl, webUrl } from "../lib/http/links.ts";
import { Apart } from "./apart.tsx";
import { assetUrl } from "./assets.ts";
import { Bar, type Reader } from "./bar.tsx";
import { Logo } from "./logo.tsx";
import { siteName } from "./name.ts";
import { PlayerBar } from "./player-bar.tsx";

/** The typeface's Latin letters, which every page shows. */
const TITLE_FONT = "familjen-grotesk-latin-wght-normal.woff2";

interface PageProps {
  env: Env;
  title: string;
  head?: Child;
  /** File names of our own scripts. */
  scripts?: string[];
  /** Set for pages of the site, which share one player. Others load fully. */
  reader?: Reader | undefined;
  children?: Child;
}

/** The frame of every page. */
export const Page = ({ env, title, head, scripts = [], reader, children }: PageProps) => (
  <html lang="en" data-theme={reader?.theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={assetUrl(env, "logo.svg")} />
      <link rel="icon" type="image/png" sizes="192x192" href={assetUrl(env, "icon-192.png")} />
      <link rel="apple-touch-icon" href={assetUrl(env, "apple-touch-icon.png")} />
      {reader && <link rel="manifest" href={webUrl(env, "/manifest.webmanifest")} />}
      <link
        rel="preload"
        as="font"
        type="font/woff2"
        href={assetUrl(env, TITLE_FONT)}
        crossorigin="anonymous"
      />
      <link rel="stylesheet" href={assetUrl(env, "style.css")} data-turbo-track="reload" />
      {reader ? (
        <>
          <meta name="csp-nonce" content={reader.styleNonce} />
          {/* A small form returns to its page, which keeps its scroll position. */}
          <meta name="turbo-refresh-scroll" content="preserve" />
          <script type="module" src={assetUrl(env, "site.client.js")} />
        </>
      ) : (
        <meta name="turbo-visit-control" content="reload" />
      )}
      {scripts.map((name) => (
        <script type="module" src={assetUrl(env, name)} />
      ))}
      {head}
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      {reader ? <Bar env={env} reader={reader} /> : <PlainBar env={env} />}
      <main id="main">
        {reader?.isNew && <Welcome env={env} />}
        {children}
      </main>
      <footer class="bar">
        <p>{aboutSite(siteName(env))}</p>
        <Apart>
          <a href={webUrl(env, "/terms")}>Terms</a>
          <a href={webUrl(env, "/privacy")}>Privacy</a>
          <a href={webUrl(env, "/status")}>Status</a>
          <a href={reportUrl(env, reader)}>Report</a>
          <a href={apiUrl(env, "/docs")}>Developers</a>
        </Apart>
      </footer>
      {reader && (
        <>
          <p class="sr-only" id="page-said" aria-live="polite" data-turbo-permanent />
          <PlayerBar name={siteName(env)} reader={reader} />
        </>
      )}
    </body>
  </html>
);

/** Shown after sign-up, on the page that the person came from. */
const Welcome = ({ env }: { env: Env }) => (
  <p class="done" role="status">
    Your account is ready. We have sent you a mail: open its link to confirm your address. If nothing comes,{" "}
    <a href={`${env.AUTH_URL}/settings#email`} data-turbo="false">
      see where it went
    </a>
    .
  </p>
);

const aboutSite = (name: string) =>
  `${name === "Soundpost" ? "Soundpost is" : `${name} runs on Soundpost,`} an open, self-hostable audio sharing platform.`;

/** The report form, prefilled with the current page. */
function reportUrl(env: Env, reader: Reader | undefined): string {
  if (!reader || /^\/(?:$|\?|you\/|report(?:$|[/?]))/.test(reader.path)) return webUrl(env, "/report");
  return webUrl(env, `/report?${new URLSearchParams({ url: webUrl(env, reader.path) })}`);
}

/** The bar of pages for accounts and developers, which belong to no session of the site. */
const PlainBar = ({ env }: { env: Env }) => (
  <header class="bar">
    <a class="brand" href={webUrl(env, "/")}>
      <Logo />
      {siteName(env)}
    </a>
    <nav aria-label="Site">
      <Apart>
        <a href={apiUrl(env, "/docs")}>Developers</a>
        <a href={`${env.AUTH_URL}/settings`}>Account</a>
      </Apart>
    </nav>
  </header>
);
