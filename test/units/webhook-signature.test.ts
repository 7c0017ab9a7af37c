import { expect, test } from "vitest";
import { newWebhookSecret, signedHeaders } from "../../functions/api/webhooks/signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The test vector of the specification's own libraries. */
const message = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  sentAt: new Date(1_614_265_330_500),
  body: '{"test": 2432232314}',
};

test("signs as the Standard Webhooks libraries do", () => {
  expect(signedHeaders([SECRET], message)).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("signs once per secret, the newest first", () => {
  const [one, two] = [newWebhookSecret(), newWebhookSecret()];
  const signatures = (secrets: string[]) => signedHeaders(secrets, message)["webhook-signature"];
  expect(signatures([one, two])).toBe(`${signatures([one])} ${signatures([two])}`);
});

test("makes secrets of 32 bytes, each another", () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
