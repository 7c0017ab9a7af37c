import type { Env } from "../http/env.ts";
import { apiUrl } from "../http/links.ts";
import type { Reader } from "../site/bar.tsx";
import { Page } from "../site/layout.tsx";
import { Logo } from "../site/logo.tsx";

const COMMANDS = [
  ["npm start", "Starts the whole service on one machine: database, object store, encoder and the API."],
  ["npm start -- song.flac", "Uploads a file as a demo user and prints where it plays."],
  ["npm run -s admin -- user create …", "Creates users, apps and tokens from the command line."],
  ["npm test", "Runs all checks and tests, against real services."],
  ["npm run deploy -- production", "Puts it on Cloudflare Workers, migrations first."],
] as const;

export const HomePage = ({ env, reader }: { env: Env; reader: Reader }) => (
  <Page env={env} reader={reader} title="Soundpost · audio sharing that you host yourself">
    <section class="hero">
      <Logo size={64} />
      <h1>Audio sharing that you host yourself</h1>
      <p class="lead">
        Soundpost takes in audio of nearly any kind, encodes it, and streams it to every player there is. It
        is one HTTP API that you run on your own machine or at the edge.
      </p>
      <p class="actions">
        <a class="button" href={apiUrl(env, "/docs")}>
          API reference
        </a>
        <a class="button quiet" href={`${env.AUTH_URL}/signup`}>
          Create an account
        </a>
      </p>
    </section>
    <section class="features" aria-label="What it does">
      <div class="card">
        <h2>Upload</h2>
        <p>
          AIFF, WAVE, FLAC, OGG, MP2, MP3, AAC, AMR and WMA, up to 4 GB, in parts, straight to storage. A
          broken connection resumes.
        </p>
      </div>
      <div class="card">
        <h2>Encode</h2>
        <p>HLS with AAC at two bitrates, MP3, a preview and a waveform, gapless and exact to the sample.</p>
      </div>
      <div class="card">
        <h2>Play</h2>
        <p>
          Signed addresses that play in browsers, mpv, ffmpeg and anything else, public or private, without
          further headers.
        </p>
      </div>
    </section>
    <section class="card">
      <h2>Commands</h2>
      <dl class="commands">
        {COMMANDS.map(([command, meaning]) => (
          <div>
            <dt>
              <code>{command}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  </Page>
);
