import { randomUUID } from "node:crypto";
import { decodeJwt, importJWK, type JWK, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { asking, expectRefused } from "../lib/http/refusals.ts";
import { createApp, createAppToken, createUser, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { createTrack, type StoredTrack } from "../support/tracks.ts";

let ana: Person;
let track: StoredTrack;
let app: { token: string };

beforeAll(async () => {
  [ana, app] = await Promise.all([createUser(), createAppToken()]);
  track = await createTrack(ana);
});

describe("a forged token (O99, X84, X94)", () => {
  const [current, published] = (JSON.parse(stack.secrets.JWT_KEYS) as { keys: JWK[] }).keys;
  const now = () => Math.floor(Date.now() / 1000);

  interface Changes {
    claims?: Record<string, unknown>;
    header?: Record<string, unknown>;
    key?: JWK | undefined;
  }

  /** Signs Ana's token again with the service's own key and some changes. `undefined` omits a claim. */
  async function like({ claims = {}, header = {}, key = current }: Changes) {
    const changed = Object.entries({ ...decodeJwt(ana.token), ...claims }).filter(
      ([, value]) => value !== undefined,
    );
    return new SignJWT(Object.fromEntries(changed))
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: key?.kid, ...header })
      .sign(await importJWK(key ?? {}, "ES256"));
  }

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const parts = () => ana.token.split(".") as [string, string, string];
  const unsigned = (header: object) => `${encoded(header)}.${parts()[1]}.`;

  test("is accepted if only signed again, and verifies with the published key", async () => {
    expect((await asking("/me", { Authorization: `OAuth ${await like({})}` })).status).toBe(200);
    expect((await asking("/me", { Authorization: `OAuth ${await like({ key: published })}` })).status).toBe(
      200,
    );
  });

  test.for<[string, () => Promise<string> | string]>([
    ["expired (O98)", () => like({ claims: { exp: now() - 60 } })],
    [
      "a changed payload",
      () => `${parts()[0]}.${encoded({ ...decodeJwt(ana.token), sub: "u:1" })}.${parts()[2]}`,
    ],
    [
      "a changed signature",
      () => `${parts()[0]}.${parts()[1]}.${parts()[2].replace(/^./, (c) => (c === "A" ? "B" : "A"))}`,
    ],
    ["no signature", () => `${parts()[0]}.${parts()[1]}.`],
    ["alg none", () => unsigned({ alg: "none", typ: "at+jwt", kid: current?.kid })],
    ["alg None", () => unsigned({ alg: "None", typ: "at+jwt", kid: current?.kid })],
    [
      "HS256 with the public key",
      () => {
        const { d: _, ...publicKey } = current ?? {};
        return new SignJWT(decodeJwt(ana.token))
          .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: current?.kid })
          .sign(Buffer.from(JSON.stringify(publicKey)));
      },
    ],
    ["an unknown kid", () => like({ header: { kid: "unknown" } })],
    ["a kid that is a path", () => like({ header: { kid: "../../../dev/null" } })],
    ["no kid", () => like({ header: { kid: undefined } })],
    ["a jku", () => like({ header: { kid: "theirs", jku: `${stack.urls.api}/healthz` } })],
    [
      "a jwk",
      () =>
        like({ header: { kid: "theirs", jwk: { kty: "EC", crv: "P-256", x: current?.x, y: current?.y } } }),
    ],
    ["crit", () => like({ header: { crit: ["exp"], exp: 1 } }).catch(() => "a.b.c")],
    ["typ JWT", () => like({ header: { typ: "JWT" } })],
    ["another audience", () => like({ claims: { aud: "https://other.example" } })],
    ["another issuer", () => like({ claims: { iss: "https://other.example" } })],
    ["no audience", () => like({ claims: { aud: undefined } })],
    ["no sid", () => like({ claims: { sid: undefined } })],
    ["a sid in words", () => like({ claims: { sid: "1 or 1=1" } })],
    ["a numeric sid", () => like({ claims: { sid: 1 } })],
    ["no sub", () => like({ claims: { sub: undefined } })],
    ["a sub without its kind", () => like({ claims: { sub: String(ana.id) } })],
    ["no exp", () => like({ claims: { exp: undefined } })],
    ["an exp in words", () => like({ claims: { exp: String(now() + 60) } })],
    ["an nbf to come", () => like({ claims: { nbf: now() + 600 } })],
    ["five dots", () => `${parts().join(".")}.a.b.c`],
    ["two parts", () => parts().slice(0, 2).join(".")],
    ["dots alone", () => ".."],
    ["junk", () => "eyJhbGciOiJub25lIn0.e30."],
    ["an oversized one", () => like({ claims: { padding: "x".repeat(6_000) } })],
  ])("with %s is refused without a statement", async ([, make]) => {
    const token = await make();
    for (const path of ["/me", `/tracks/${track.id}`]) {
      const { body } = await expectRefused(path, { Authorization: `OAuth ${token}` });
      expect(body.errors[0]?.error_message).toMatch(
        /^The access token (?:is not valid: send access_token|has expired: send)/,
      );
    }
  });

  test("whose hour is over learns how to refresh", async () => {
    const token = await like({ claims: { exp: now() - 6 } });
    const { body } = await expectRefused("/me", { Authorization: `OAuth ${token}` });
    expect(body.errors[0]?.error_message).toMatch(
      /^The access token has expired: .* grant_type=refresh_token/,
    );
    expect(body).toMatchObject({ link: expect.stringMatching(/#expired-token$/) });
  });

  test("a clock difference of five seconds is tolerated (O98)", async () => {
    // Each try has a token of its own, which a busy machine may take in too late.
    const expiredJustNow = async () =>
      (await asking("/me", { Authorization: `OAuth ${await like({ claims: { exp: now() - 1 } })}` })).status;
    await expect.poll(expiredJustNow).toBe(200);
  });

  test("a token cannot name a user, app or session other than its own (O105)", async () => {
    const [other, foreign] = await Promise.all([createUser(), createApp()]);
    const sid = decodeJwt(app.token).sid;
    const forged = [
      { sub: `u:${other.id}` },
      { sub: `c:${ana.id}` },
      { sub: `u:${ana.id}`, sid },
      { sub: `c:${ana.app.client_id}` },
      { client_id: foreign.client_id },
      { sid: "1" },
      { sid: "9999999999999999" },
    ];
    for (const claims of forged) {
      for (const path of ["/me", `/tracks/${track.id}`]) {
        expect(
          (
            await asking(path, {
              Authorization: `OAuth ${await like({ claims: { ...claims, jti: randomUUID() } })}`,
            })
          ).status,
        ).toBe(401);
      }
    }
  });
});
