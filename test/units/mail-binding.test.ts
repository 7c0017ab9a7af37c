import { expect, test } from "vitest";
import type { Env } from "../../functions/lib/http/env.ts";
import { sendMail } from "../../functions/lib/services/mail.ts";

const MAIL = { to: "ana@example.com", subject: "Hello", text: "Hi" };

test.for([
  ["Radio Ana <noreply@sound.test>", { name: "Radio Ana", email: "noreply@sound.test" }],
  ['"Ana, Ben & Co." <noreply@sound.test>', { name: "Ana, Ben & Co.", email: "noreply@sound.test" }],
  ["<noreply@sound.test>", "noreply@sound.test"],
  ["noreply@sound.test", "noreply@sound.test"],
] as const)("the platform gets the sender %s as name and address", async ([MAIL_FROM, from]) => {
  const sent: unknown[] = [];
  const binding = { send: async (message: unknown) => void sent.push(message) };
  expect(await sendMail({ MAIL_FROM, MAIL: binding } as unknown as Env, 1, MAIL)).toBeUndefined();
  expect(sent).toEqual([{ ...MAIL, from }]);
});

test("only a refusal that no attempt can change is permanent", async () => {
  const refusing = (code: string) =>
    sendMail(
      {
        MAIL_FROM: "noreply@sound.test",
        MAIL: { send: () => Promise.reject(Object.assign(new Error("no"), { code })) },
      } as unknown as Env,
      1,
      MAIL,
    );
  expect(await refusing("E_RECIPIENT_SUPPRESSED")).toEqual({
    failure: "E_RECIPIENT_SUPPRESSED: no",
    permanent: true,
  });
  for (const code of ["E_SENDER_DOMAIN_NOT_AVAILABLE", "E_RATE_LIMIT_EXCEEDED", "E_DELIVERY_FAILED"])
    expect(await refusing(code)).toEqual({ failure: `${code}: no`, permanent: false });
});
