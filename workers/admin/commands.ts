import type { Database } from "../../db/client.ts";
import { databaseFault, UNIQUE_VIOLATION } from "../../db/faults.ts";
import type { NamedUser } from "../../db/queries/moderation.ts";
import { createApp, createGrant, createUser } from "../../db/queries/operators.ts";
import { PERSONAL_CLIENT } from "../../db/queries/personal-tokens.ts";
import { NewAppBody } from "../../functions/api/apps/input.ts";
import { appPermalink, newClientId } from "../../functions/api/apps/registration.ts";
import { exactName } from "../../functions/api/moderation/references.ts";
import { Email, Password, Plan, Username } from "../../functions/api/users/account-input.ts";
import { permalinksOf } from "../../functions/auth/accounts/permalink.ts";
import { REFRESH_TOKEN_TTL_S, SESSION_TTL_S } from "../../functions/auth/oauth/lifetimes.ts";
import { ACCESS_TOKEN_TTL_S, issueAccessToken } from "../../functions/lib/http/access-token.ts";
import { hashPassword } from "../../functions/lib/security/password.ts";
import { hashSecret, newSecret, randomBase62 } from "../../functions/lib/security/random.ts";
import { redirectUriProblem } from "../../functions/lib/security/redirect-uri.ts";
import { plainIdText } from "../../functions/lib/text/fields.ts";
import { usernameKeys } from "../../functions/lib/text/look-alike.ts";
import { slug } from "../../functions/lib/text/slug.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import { readSecret } from "./read-secret.ts";

/** Database and keys of the chosen stack or environment. */
export interface Target {
  db: Database;
  issuer: Parameters<typeof issueAccessToken>[0];
  /** Whether it is configured as a sandbox. Its database must agree. */
  sandbox: boolean;
}

export type Reply = Record<string, unknown>;

export type Commands = Record<string, (target: Target, given: Invocation) => Promise<Reply>>;

export const commands: Commands = {
  async "user create"({ db }, given) {
    const username = check(Username, "username", given.required("username"));
    const email = check(Email, "email", given.required("email"));
    const plan = check(Plan, "plan", given.option("plan") ?? "free");
    const password = check(Password, "password", given.option("password") ?? (await readSecret("password")));
    const confirmed = given.flag("confirmed");
    const passwordHash = await hashPassword(password);
    const name = { username, ...usernameKeys(username), ...(await permalinksOf(username)) };
    const user = { ...name, email, password_hash: passwordHash, plan, confirmed };
    const id = await createUser(db, by(given), user).catch((error: unknown) => {
      if (databaseFault(error)?.sqlstate !== UNIQUE_VIOLATION) throw error;
      throw new UsageError(
        `The username ${username} or the address ${email} is taken, or the name looks like one that is`,
      );
    });
    return { id, username, email, plan };
  },

  async "app create"({ db }, given) {
    const owner = given.required("owner");
    const { shape } = NewAppBody;
    const name = check(shape.name, "name", given.required("name"));
    const uris = given.all("redirect-uri");
    for (const uri of uris) {
      const problem = redirectUriProblem(uri);
      if (problem) throw new UsageError(`--redirect-uri ${uri}: ${problem}`);
    }
    const redirectUris = check(shape.redirect_uris, "redirect-uri", uris);
    const externalUrl = check(shape.external_url, "external-url", given.option("external-url") || null);
    const clientId = newClientId();
    const secret = given.flag("public") ? undefined : newSecret("cs");
    const app = {
      owner: userKeys(owner),
      clientId,
      secretHash: secret === undefined ? null : hashSecret(secret),
      name,
      permalink: await appPermalink(name),
      redirectUris,
      externalUrl: externalUrl ?? null,
    };
    const made = await createApp(db, by(given), app).catch((error: unknown) => {
      if (databaseFault(error)?.sqlstate !== UNIQUE_VIOLATION) throw error;
      // Names may repeat; permalinks may not.
      return createApp(db, by(given), {
        ...app,
        permalink: `${app.permalink}-${randomBase62(6).toLowerCase()}`,
      });
    });
    if (!made) throw new UsageError(`There is no user ${owner}, ${OR_TWO}`);
    if (made.id === null)
      throw new UsageError(`Apps need a paid plan, and ${owner} is on ${made.plan}: see user set-plan`);
    return {
      id: made.id,
      client_id: clientId,
      ...(secret !== undefined && { client_secret: secret }),
      name,
      redirect_uris: redirectUris,
    };
  },

  async "token create"({ db, issuer }, given) {
    const clientId = given.required("app");
    if (clientId === PERSONAL_CLIENT)
      throw new UsageError("A user makes personal tokens alone, at /settings/tokens");
    const user = given.option("user") ?? given.option("username");
    const refreshToken = newSecret("rt");
    const grant = await createGrant(db, by(given), {
      clientId,
      user: user === undefined ? null : userKeys(user),
      refreshHash: hashSecret(refreshToken),
      sessionTtlS: SESSION_TTL_S,
      refreshTtlS: REFRESH_TOKEN_TTL_S,
    });
    if (!grant.app)
      throw new UsageError(
        `There is no app with the client id ${clientId}, or it is revoked or its owner suspended. See app find`,
      );
    if (grant.session === null && user === undefined)
      throw new UsageError("A public app has no token of its own: say for which --user");
    if (grant.session === null) throw new UsageError(`There is no user ${user}, ${OR_TWO}`);
    const viewer = { sessionId: grant.session, clientId, userId: grant.user };
    return {
      access_token: await issueAccessToken(issuer, viewer),
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_TTL_S,
      refresh_token: refreshToken,
      scope: "",
    };
  },
};

/** Matches the id, the permalink, or the username in any spelling. */
export const userKeys = (name: string): NamedUser => ({
  id: plainIdText.safeParse(name.trim()).data ?? null,
  permalink: slug(name),
  username_key: usernameKeys(name).username_key,
  username: exactName(name),
});

/** The end of a refusal. A name may be the username of one user and the permalink of another. */
export const OR_TWO = "or the name means two. Say which by the id: see user find";
