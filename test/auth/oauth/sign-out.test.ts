import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { auth, expectError, statuses, times } from "../../support/oauth.ts";

const BAD_REQUEST = '{"error":"bad_request"}';
const UNAUTHORIZED = '{"error":"unauthorized"}';

test("sign-out ends the token's session at once, and no other (O89)", async () => {
  const { app, userId, tokens } = await auth.signedIn();
  const other = await auth.signedIn(app, userId);
  const { status, text } = await auth.signOut(tokens.access_token);
  expect([status, text]).toEqual([200, "{}"]);
  expect(await auth.me(tokens.access_token)).toBe(401);
  expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
  expect(await auth.me(other.tokens.access_token)).toBe(200);
  expect((await auth.refresh(app, other.tokens.refresh_token)).status).toBe(200);
});

test("sign-out ends all tokens of the session, earlier and later ones (O89)", async () => {
  const { app, tokens } = await auth.signedIn();
  const later = (await auth.refresh(app, tokens.refresh_token)).body;
  expect((await auth.signOut(tokens.access_token)).status).toBe(200);
  expect(await auth.me(later.access_token)).toBe(401);
  expectError(await auth.refresh(app, later.refresh_token), 400, "invalid_grant");
  expect((await auth.signOut(later.access_token)).text).toBe(UNAUTHORIZED);
});

test("sign-out works for an app's own token (O89)", async () => {
  const app = await auth.createApp();
  const { body } = await auth.ownToken(app);
  expect((await auth.signOut(body.access_token)).status).toBe(200);
  expect((await auth.signOut(body.access_token)).text).toBe(UNAUTHORIZED);
  expectError(await auth.refresh(app, body.refresh_token), 400, "invalid_grant");
});

test("a second sign-out finds nothing to end (O90)", async () => {
  const { tokens } = await auth.signedIn();
  await auth.signOut(tokens.access_token);
  for (let tries = 0; tries < 2; tries++) {
    const { status, text } = await auth.signOut(tokens.access_token);
    expect([status, text]).toEqual([401, UNAUTHORIZED]);
  }
});

test("one of twenty concurrent sign-outs ends the session (O90)", async () => {
  const { tokens } = await auth.signedIn();
  const answers = await times(20, () => auth.signOut(tokens.access_token));
  expect(statuses(answers)).toEqual([200, ...Array(19).fill(401)]);
});

test.for<[string, string]>([
  ["nothing in it", "{}"],
  ["an empty token", '{"access_token":""}'],
  ["a number", '{"access_token":1}'],
  ["an array", '{"access_token":["x"]}'],
  ["an object", '{"access_token":{"x":1}}'],
  ["null", '{"access_token":null}'],
  ["no body", ""],
  ["an array as the body", '["x"]'],
  ["null as the body", "null"],
  ["a string as the body", '"x"'],
  ["broken JSON", '{"access_token":"x"'],
  ["two values", '{"access_token":"x"}{}'],
  ["another name", '{"token":"x"}'],
  ["a name inherited", '{"__proto__":{"access_token":"x"}}'],
  ["a bomb of brackets", "[".repeat(100_000)],
])("a body with %s (O91)", async ([, form]) => {
  const { status, text } = await auth.send("/sign-out", {
    form,
    headers: { "Content-Type": "application/json" },
  });
  expect([status, text]).toEqual([400, BAD_REQUEST]);
});

test("a body of over a megabyte (O91)", async () => {
  const headers = { "Content-Type": "application/json", "Content-Length": String(1024 * 1024 + 1) };
  const { status, text } = await auth.send("/sign-out", { form: "{", headers, endless: true });
  expect([status, text]).toEqual([400, BAD_REQUEST]);
});

test("the body must be JSON and declared as such (O91, O94)", async () => {
  const { tokens } = await auth.signedIn();
  const { access_token } = tokens;
  const json = JSON.stringify({ access_token });
  const form = `${new URLSearchParams({ access_token })}`;
  for (const [type, body] of [
    ["application/x-www-form-urlencoded", form],
    ["text/plain", json],
    ["multipart/form-data; boundary=x", json],
    ["application/json", form],
  ]) {
    const { status, text } = await auth.send("/sign-out", {
      form: body ?? "",
      headers: { "Content-Type": type ?? "" },
    });
    expect([type, status, text]).toEqual([type, 400, BAD_REQUEST]);
  }
  expect((await auth.send("/sign-out", { method: "POST" })).text).toBe(BAD_REQUEST);
  const elsewhere = await auth.send(`/sign-out?access_token=${access_token}`, {
    json: {},
    headers: { Authorization: `OAuth ${access_token}` },
  });
  expect(elsewhere.text).toBe(BAD_REQUEST);
  expect(await auth.me(access_token)).toBe(200);
  const typed = { "Content-Type": "application/json; charset=utf-8" };
  expect((await auth.send("/sign-out", { form: json, headers: typed })).status).toBe(200);
});

test("a forged token is unauthorized, without a statement (O92)", async () => {
  const { tokens } = await auth.signedIn();
  const [header = "", payload = "", signature = ""] = tokens.access_token.split(".");
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
  const another = Buffer.from(JSON.stringify({ ...decodeJwt(tokens.access_token), sid: "1" })).toString(
    "base64url",
  );
  const junk = [
    "x",
    " ",
    "\0",
    "\ud83d\ude00",
    "a.b.c",
    "x".repeat(100_000),
    tokens.refresh_token,
    `${none}.${payload}.`,
    `${header}.${another}.${signature}`,
    ` ${tokens.access_token}`,
    `OAuth ${tokens.access_token}`,
  ];
  for (const token of junk) {
    const { status, text, headers } = await auth.signOut(token);
    expect([token.slice(0, 40), status, text]).toEqual([token.slice(0, 40), 401, UNAUTHORIZED]);
    expect(headers["server-timing"]).toBeUndefined();
  }
  expect(await auth.me(tokens.access_token)).toBe(200);
});

test("every request that starts after the reply to a sign-out is refused and writes nothing (O93)", async () => {
  for (let round = 0; round < 3; round++) {
    const { userId, tokens } = await auth.signedIn();
    const { access_token: token } = tokens;
    const json = { filename: "a.wav", size: 10, type: "audio/wav" };
    const write = () => api.as({ token }).post("/uploads", { json });
    const racing = times(50, (index) => (index % 2 ? write() : api.as({ token }).get("/me")));
    expect((await auth.signOut(token)).status).toBe(200);
    const rowsBefore = "select id from uploads where user_id = $1 order by id";
    const late = await times(50, (index) => (index % 2 ? write() : api.as({ token }).get("/me")));
    expect(statuses(late)).toEqual(Array(50).fill(401));
    const accepted = (await racing).filter(({ status }) => status === 201);
    expect(await auth.sql(rowsBefore, [userId])).toHaveLength(accepted.length);
  }
});
