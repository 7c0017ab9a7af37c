import { createHash, randomBytes } from "node:crypto";

/** Behaviour of a service after consent: correct, or one of the usual failures. */
export const BEHAVIOURS = {
  works: "Everything works",
  "refuses-code": "The code is refused",
  "breaks-down": "The token endpoint breaks down",
  rubbish: "The profile is no JSON",
  "too-long": "The profile never ends",
  "leads-on": "The profile is said to be elsewhere",
  silent: "The profile never comes",
  nobody: "There is no profile",
  "takes-no-posts": "Everything works, but posts are refused",
  "posts-later": "Everything works, but posts fail at first",
} as const;
type Behaviour = keyof typeof BEHAVIOURS;

export const isBehaviour = (name: string | null): name is Behaviour =>
  name !== null && Object.hasOwn(BEHAVIOURS, name);

export interface Client {
  id: string;
  secret: string;
  redirectUri: string;
}

export interface Grant {
  service: string;
  name: string;
  pages: string[];
  behaviour: Behaviour;
}

/** `by` is the name behind the token. */
interface Post {
  by: string;
  key: string;
  fields: Record<string, string>;
}

interface Code extends Grant {
  challenge: string;
}

export type Grants = ReturnType<typeof openGrants>;

const random = () => randomBytes(24).toString("base64url");

/** Equal names share a profile. */
export const profileId = (name: string): string =>
  String(createHash("sha256").update(name).digest().readUIntBE(0, 6));

/** Kept in memory only. After a restart users connect again. */
export function openGrants(redirectUri: string) {
  const client: Client = { id: "soundpost", secret: random(), redirectUri };
  const codes = new Map<string, Code>();
  const tokens = new Map<string, Grant>();
  const refreshing = new Map<string, Grant>();
  const posts: Post[] = [];

  function tokensFor(grant: Grant) {
    const [token, refreshToken] = [random(), random()];
    tokens.set(token, grant);
    // Tokens that post for a page.
    for (const page of grant.pages) tokens.set(`page-${profileId(page)}`, { ...grant, name: page });
    refreshing.set(refreshToken, grant);
    return { grant, token, refreshToken };
  }

  return {
    client,
    allow(code: Code): string {
      const made = random();
      codes.set(made, code);
      return made;
    },
    /** Redeems a code once, if the verifier matches its challenge. */
    redeem(service: string, code: string, verifier: string) {
      const grant = codes.get(code);
      codes.delete(code);
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      if (!grant || grant.service !== service || grant.challenge !== challenge) return undefined;
      return tokensFor(grant);
    },
    /** Each refresh token works once. */
    renew(refreshToken: string) {
      const grant = refreshing.get(refreshToken);
      refreshing.delete(refreshToken);
      return grant && tokensFor(grant);
    },
    /** Returns `false` if a post with this key exists. */
    take(post: Post): boolean {
      const isNew = !posts.some(({ key }) => key === post.key);
      if (isNew) posts.push(post);
      return isNew;
    },
    posts,
    grantOf: (token: string) => tokens.get(token),
  };
}
