import { createHash, randomBytes } from "node:crypto";

/** How the service goes on after it was allowed: as it should, or as services do on bad days. */
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
export type Behaviour = keyof typeof BEHAVIOURS;

export const isBehaviour = (name: string | null): name is Behaviour =>
  name !== null && Object.hasOwn(BEHAVIOURS, name);

export interface Client {
  id: string;
  secret: string;
  redirectUri: string;
}

/** What somebody allowed. */
export interface Grant {
  service: string;
  name: string;
  pages: string[];
  behaviour: Behaviour;
}

/** By whose token, with what key and fields. */
export interface Post {
  by: string;
  key: string;
  fields: Record<string, string>;
}

interface Code extends Grant {
  challenge: string;
}

export type Grants = ReturnType<typeof openGrants>;

const random = () => randomBytes(24).toString("base64url");

/** The same name is the same profile. */
export const profileId = (name: string): string =>
  String(createHash("sha256").update(name).digest().readUIntBE(0, 6));

/** Nothing outlives the process: whoever comes back after a restart starts again. */
export function openGrants(redirectUri: string) {
  const client: Client = { id: "soundpost", secret: random(), redirectUri };
  const codes = new Map<string, Code>();
  const tokens = new Map<string, Grant>();
  const refreshing = new Map<string, Grant>();
  const posts: Post[] = [];

  function tokensFor(grant: Grant) {
    const [token, refreshToken] = [random(), random()];
    tokens.set(token, grant);
    // By which pages post.
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
    /** A code is good once, for whoever knows what its challenge was made of. */
    redeem(service: string, code: string, verifier: string) {
      const grant = codes.get(code);
      codes.delete(code);
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      if (!grant || grant.service !== service || grant.challenge !== challenge) return undefined;
      return tokensFor(grant);
    },
    /** Good once. */
    renew(refreshToken: string) {
      const grant = refreshing.get(refreshToken);
      refreshing.delete(refreshToken);
      return grant && tokensFor(grant);
    },
    /** False where one of that key was taken before. */
    take(post: Post): boolean {
      const isNew = !posts.some(({ key }) => key === post.key);
      if (isNew) posts.push(post);
      return isNew;
    },
    posts,
    grantOf: (token: string) => tokens.get(token),
  };
}
