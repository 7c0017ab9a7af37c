import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { auth, inBody, randomAddress } from "../../support/oauth.ts";
import { createUserWithPassword, tokenOf } from "../../support/people.ts";
import { stack, workerLog } from "../../support/stack.ts";

/** The rows of each table, ours and the migrations', as text. */
async function dump(): Promise<string[]> {
  const tables = await auth.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toContain("public.refresh_tokens");
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await auth.sql<{ row: string }>(`select t::text as row from ${name} t`);
    texts.push(rows.map(({ row }) => row).join("\n"));
  }
  return texts;
}

test("no issued or sent secret, code, token or password is stored in the database (O68)", async () => {
  const { app, form, tokens } = await auth.signedIn();
  const refreshed = (await auth.refresh(app, tokens.refresh_token)).body;
  const own = (await auth.ownToken(app, { address: randomAddress() })).body;
  const unused = await auth.createGrant(app);
  const wrong = randomBytes(16).toString("hex");
  const address = randomAddress();
  await auth.token({ ...unused.form, client_secret: `${wrong}1` }, { address });
  await auth.token({ ...unused.form, code_verifier: `${wrong}${wrong}2` }, { address });
  await auth.send("/oauth/introspect", { form: { ...inBody(app), token: `${wrong}3` }, address });
  await auth.signOut(refreshed.access_token);
  const ana = await createUserWithPassword();
  const delegated = await tokenOf(ana.app, ana.username);
  expect((await api.as({ token: delegated }).get("/me")).status).toBe(200);

  const tables = await dump();
  const isStored = (part: string) => tables.some((rows) => rows.includes(part));
  expect(isStored(app.client_id)).toBe(true);
  expect(isStored(address)).toBe(true);
  const issued = {
    secret: app.client_secret,
    "other app's secret": ana.app.client_secret,
    code: form.code,
    "unused code": unused.code,
    verifier: form.code_verifier,
    "unused verifier": unused.verifier,
    access: tokens.access_token,
    refresh: tokens.refresh_token,
    "later access": refreshed.access_token,
    "later refresh": refreshed.refresh_token,
    "own access": own.access_token,
    "own refresh": own.refresh_token,
    delegated,
    password: "correct horse battery",
    "wrong guess": wrong,
  };
  for (const [name, value] of Object.entries(issued)) {
    // Without its prefix, or for a token without header and signature, as text and in hexadecimal.
    const core = value.includes(".") ? (value.split(".")[1] ?? "") : value.replace(/^[a-z]{2}_/, "");
    for (const form of [core, Buffer.from(core).toString("hex"), Buffer.from(core).toString("base64url")])
      expect(isStored(form), name).toBe(false);
  }
  const logged = JSON.stringify(workerLog());
  for (const [name, value] of Object.entries(issued))
    expect(logged.includes(value), `${name}, logged`).toBe(false);
  for (const key of JSON.parse(stack.secrets.JWT_KEYS).keys) expect(isStored(key.d)).toBe(false);
});
