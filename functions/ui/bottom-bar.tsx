import type { Env } from "../lib/http/env.ts";
import { webUrl } from "../lib/http/links.ts";
import { type Reader, signInUrl } from "./bar.tsx";
import { Icon, type IconName } from "./icons.tsx";

/** The four places at the foot of phones, each with the paths that belong to it. */
const PLACES: [name: string, icon: IconName, path: string, within: RegExp][] = [
  ["Home", "home", "/", /^\/(?:\?|$)/],
  ["Search", "search", "/search", /^\/search(?:\?|$)/],
  ["Upload", "upload", "/upload", /^\/upload(?:\?|$)/],
  ["You", "you", "/you", /^\/you(?:[/?]|$)/],
];

/** Shown on phones only. Places that need an account lead visitors to the sign-in, and on to themselves. */
export const BottomBar = ({ env, reader }: { env: Env; reader: Reader }) => (
  <nav class="bottom-bar" aria-label="Main">
    {PLACES.map(([name, icon, path, within]) => {
      const needsSignIn = reader.userId === undefined && !reader.isUnknown && /^\/(?:you|upload)$/.test(path);
      return (
        <a
          href={needsSignIn ? signInUrl(env, { ...reader, path }) : webUrl(env, path)}
          data-turbo={needsSignIn ? "false" : undefined}
          aria-current={!reader.isUnknown && within.test(reader.path) ? "page" : undefined}
        >
          <Icon name={icon} />
          <span>{name}</span>
        </a>
      );
    })}
  </nav>
);
