import type { Database } from "../../../db/client.ts";
import type { By } from "../../../db/queries/acts.ts";
import { makeInvitation } from "../../../db/queries/invitations.ts";
import type { Env } from "../../lib/http/env.ts";
import { hashSecret, newSecret } from "../../lib/security/random.ts";

interface Invited {
  uses: number;
  days: number;
  note: string | null;
}

/** Makes an invitation. The link is known now alone, because only a hash of its code is stored. */
export async function invite(db: Database, { AUTH_URL }: Pick<Env, "AUTH_URL">, by: By, invited: Invited) {
  const code = newSecret("iv");
  const { id, expires_at } = await makeInvitation(db, by, { ...invited, codeHash: hashSecret(code) });
  return { id, link: `${AUTH_URL}/signup?invitation=${code}`, uses: invited.uses, expires_at };
}
