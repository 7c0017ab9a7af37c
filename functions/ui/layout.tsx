import type { Child } from "hono/jsx";
import type { Env } from "../lib/http/env.ts";
import { apiUrl, webUrl } from "../lib/http/links.ts";
import { confirmsFirst } from "../lib/http/registration.ts";
import { Apart } from "./apart.tsx";
import { assetUrl } from "./assets.ts";
import { Bar, GUEST, type Reader } from "./bar.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { siteName } from "./name.ts";
import { keepsPages, OFFLINE_WORKER } from "./offline.ts";
import { PlayerBar } from "./player-bar.tsx";
import { UNTIL_CONFIRMED } from "./registration.tsx";
import { VisitorDialog } from "./visitor-dialog.tsx";

/** The typeface's Latin letters, which every page shows. */
const TITLE_FONT = "familjen-grotesk-latin-wght-normal.woff2";

interface PageProps {
  env: Env;
  title: string;
  head?: Child;
  /** File names of our own stylesheets besides that of all pages. */
  styles?: string[];
  /** File names of our own scripts. */
  scripts?: string[];
  /** Set for pages of the site, which Turbo swaps. Others load as a whole, and are handed the music. */
  reader?: Reader | undefined;
  /** The reader of a page of accounts. */
  account?: Reader | undefined;
  children?: Child;
}

/** The frame of every page. */
export const Page = ({
  env,
  title,
  head,
  styles = [],
  scripts = [],
  reader,
  account = GUEST,
  children,
}: PageProps) => (
  <html lang="en" data-theme={(reader ?? account).theme} data-guest={reader ? undefined : ""}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content="light dark" />
      <meta
        name="hosts"
        content={[env.WEB_URL, env.AUTH_URL, env.API_URL].map((url) => new URL(url).origin).join(" ")}
      />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={assetUrl(env, "logo.svg")} />
      <link rel="icon" type="image/png" sizes="192x192" href={assetUrl(env, "icon-192.png")} />
      <link rel="apple-touch-icon" href={assetUrl(env, "apple-touch-icon.png")} />
      {reader && (
        <>
          <link rel="manifest" href={webUrl(env, "/manifest.webmanifest")} />
          <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
          <meta name="theme-color" content="#111211" media="(prefers-color-scheme: dark)" />
          {keepsPages(env) && <meta name="offline-worker" content={webUrl(env, OFFLINE_WORKER)} />}
        </>
      )}
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
        <>
          <meta name="turbo-visit-control" content="reload" />
          <meta name="home" content={webUrl(env, "")} />
          <script type="module" src={assetUrl(env, "shell.client.js")} />
        </>
      )}
      {styles.map((name) => (
        <link rel="stylesheet" href={assetUrl(env, name)} />
      ))}
      {scripts.map((name) => (
        <script type="module" src={assetUrl(env, name)} />
      ))}
      {head}
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Bar env={env} reader={reader ?? account} />
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
      <BottomBar env={env} reader={reader ?? account} />
      {reader && <p class="sr-only" id="page-said" aria-live="polite" data-turbo-permanent />}
      <PlayerBar name={siteName(env)} reader={reader ?? account} />
      {reader && reader.userId === undefined && <VisitorDialog env={env} reader={reader} />}
    </body>
  </html>
);

/** Shown after sign-up, on the page that the person came from. */
const Welcome = ({ env }: { env: Env }) => (
  <p class="done" role="status">
    Your account is ready. We have sent you a mail: open its link to confirm your address.{" "}
    {confirmsFirst(env) && `${UNTIL_CONFIRMED} `}If nothing comes,{" "}
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
