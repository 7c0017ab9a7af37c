import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { profilesIn } from "../../functions/api/connections/profiles.ts";
import { serviceNamed } from "../../functions/api/connections/services.ts";

const WHOLE = {
  client_id: "us",
  client_secret: "a-secret-of-ours",
  authorization_endpoint: "https://social.example/authorize?kept=1",
  token_endpoint: "https://social.example/token",
  profiles: [{ endpoint: "https://social.example/me" }],
};

const named = (services: unknown, name = "twitter") =>
  serviceNamed({ CONNECTION_SERVICES: JSON.stringify(services) }, name);

const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  vi.spyOn(console, "error").mockImplementation((line) => void written.push(line));
});
afterEach(() => vi.restoreAllMocks());

test("a configured service is found by its name, others are not", () => {
  expect(named({ twitter: WHOLE })).toEqual({ ...WHOLE, token_endpoint_auth_method: "client_secret_basic" });
  for (const name of ["myspace", "__proto__", "constructor", ""])
    expect(named({ twitter: WHOLE }, name)).toBeUndefined();
  expect(named({})).toBeUndefined();
  expect(written).toEqual([]);
});

test.each([
  { ...WHOLE, client_secret: "" },
  { ...WHOLE, client_secret: undefined },
  { ...WHOLE, token_endpoint: "http://social.example/token" },
  { ...WHOLE, token_endpoint: "http://localhost.evil.example/token" },
  { ...WHOLE, token_endpoint: "file:///etc/passwd" },
  { ...WHOLE, profiles: [] },
  { ...WHOLE, profiles: [{ endpoint: "https://social.example/me", service: "elsewhere" }] },
  "twitter",
  null,
])("a misconfigured service is ignored, and the log says so without its secret: %j", (wrong) => {
  expect(named({ twitter: wrong, myspace: WHOLE })).toBeUndefined();
  expect(named({ twitter: wrong, myspace: WHOLE }, "myspace")).toBeDefined();
  expect(written.join()).toContain("connection_service_malformed");
  expect(written.join()).not.toContain("secret-of-ours");
});

test.each(["", "{", "[]", "null", "1"])("a malformed setting, %j, offers nothing", (setting) => {
  expect(serviceNamed({ CONNECTION_SERVICES: setting }, "twitter")).toBeUndefined();
  expect(written.join()).toContain("connection_services_malformed");
});

test("a service whose name the API does not know is not offered", () => {
  expect(named({ elsewhere: WHOLE }, "elsewhere")).toBeUndefined();
  expect(written.join()).toContain("connection_service_malformed");
});

test.each([
  [{ id: "1", name: "Ana" }, [{ id: "1", name: "Ana" }]],
  [{ data: { id: 1, name: "Ana", username: "ana", more: {} } }, [{ id: "1", name: "Ana", username: "ana" }]],
  [{ data: [{ id: "1", access_token: "t" }] }, [{ id: "1", access_token: "t" }]],
  [
    [{ id: "1" }, { id: "2" }],
    [{ id: "1" }, { id: "2" }],
  ],
  [{ data: [] }, []],
])("profiles are found in %j", (reply, profiles) => {
  expect(profilesIn(reply)).toEqual(profiles);
});

test.each(["\u0000", "\u202egnp.exe", "\ud800", " ", "a".repeat(201), 1, null, {}])(
  "a name that cannot be shown, %j, counts as missing (API10)",
  (name) => expect(profilesIn({ id: "1", name })[0]?.name).toBeUndefined(),
);

test.each([
  null,
  "text",
  1,
  {},
  { id: "" },
  { id: "a b" },
  { id: "\u0000" },
  { id: -1 },
  { id: 1.5 },
  { id: 2 ** 60 },
  { id: "a".repeat(129) },
  { id: {} },
  { data: "1" },
  { data: [{ id: "1" }, {}] },
  { data: Array.from({ length: 201 }, (_, index) => ({ id: index })) },
  { id: "1", access_token: {} },
])("%j shows no profile (API10)", (reply) => {
  expect(() => profilesIn(reply)).toThrow();
});
