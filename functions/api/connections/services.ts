import * as z from "zod";
import type { Env } from "../../lib/http/env.ts";
import { logLine } from "../../lib/http/log.ts";

/** Services where users have profiles. The operator chooses which ones to offer. */
const SERVICE_NAMES = ["facebook_profile", "facebook_page", "twitter", "myspace"] as const;
export const ServiceName = z
  .enum(SERVICE_NAMES, `must be one of ${SERVICE_NAMES.join(", ")}`)
  .meta({ example: "twitter" });
export type ServiceName = z.output<typeof ServiceName>;

const TITLES: Record<string, string> = {
  facebook_profile: "Facebook",
  facebook_page: "Facebook",
  twitter: "Twitter",
  myspace: "Myspace",
} satisfies Record<ServiceName, string>;

/** The service's display name. */
export const serviceTitle = (name: string): string => TITLES[name] ?? name;

/** Requires https, because codes, secrets and tokens are sent there. */
const Endpoint = z
  .url({ protocol: /^https?$/, error: "must be an https address", abort: true })
  .refine(
    (url) => /^https:|^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/]/.test(url),
    "must be an https address",
  );

const Text = z.string("must be a text").min(1, "must not be empty");

/** Settings of Soundpost as an OAuth client at the service, with PKCE. RFC 6749 */
const Settings = {
  client_id: Text,
  client_secret: Text,
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  token_endpoint_auth_method: z
    .enum(["client_secret_basic", "client_secret_post"], "must be client_secret_basic or client_secret_post")
    .default("client_secret_basic"),
  /** Expected `iss` of an answer, if the service sends one. RFC 9207 */
  issuer: z.url("must be an address").optional(),
  scope: z.string().optional(),
  /**
   * Endpoint that lists the profiles one consent connects. `service` names them if they are of another kind,
   * such as pages.
   */
  profiles: z
    .array(z.object({ endpoint: Endpoint, service: ServiceName.optional() }))
    .min(1)
    .max(5),
  /** How to post there, if offered. `{id}` is the profile's; `{text}` and `{url}` describe the track. */
  post: z
    .object({
      endpoint: Endpoint,
      body: z.record(z.string(), z.string()),
      type: z.enum(["json", "form"]).default("json"),
    })
    .optional(),
};
const Service = z.object(Settings, "must be an object");
export type Service = z.output<typeof Service>;

type Configured = Pick<Env, "CONNECTION_SERVICES">;

const known = new Map<string, Map<string, Service>>();

/** The services that the operator has configured, by name. */
export function offeredServices({ CONNECTION_SERVICES }: Configured): Map<string, Service> {
  const services = known.get(CONNECTION_SERVICES) ?? servicesIn(CONNECTION_SERVICES);
  known.set(CONNECTION_SERVICES, services);
  return services;
}

/** Returns `undefined` for a service that the operator has not configured. */
export const serviceNamed = (env: Configured, name: string): Service | undefined =>
  offeredServices(env).get(name);

/** Skips and logs a service with a broken configuration, so that the others keep working. */
function servicesIn(setting: string): Map<string, Service> {
  const given = objectIn(setting);
  if (!given) logLine("error", "connection_services_malformed");
  const services = new Map<string, Service>();
  for (const [name, { service, faults }] of readServices(given ?? {}))
    if (service) services.set(name, service);
    // Logs paths only: a value may be a secret.
    else logLine("error", "connection_service_malformed", { name, at: faults.map(({ path }) => path) });
  return services;
}

/** Describes the setting's faults, one sentence per field. Quotes no value, which may be a secret. */
export function problemsOfServices(setting: string): string[] {
  const given = objectIn(setting);
  if (!given) return ["must be a JSON object by service, such as {}"];
  return readServices(given).flatMap(([name, { faults }]) =>
    faults.map(({ path, message }) => `${path ? `${name}.${path}` : name} ${message}`),
  );
}

interface ReadService {
  /** `undefined` if it has faults. */
  service: Service | undefined;
  faults: { path: string; message: string }[];
}

const readServices = (given: Record<string, unknown>): [name: string, ReadService][] =>
  Object.entries(given).map(([name, value]) => {
    const service = Service.safeParse(value, { reportInput: true });
    const error = ServiceName.safeParse(name, { reportInput: true }).error ?? service.error;
    const faults = (error?.issues ?? []).map(({ path, message, input }) => ({
      path: path.join("."),
      message: input === undefined ? "is missing" : message,
    }));
    return [name, { service: faults.length ? undefined : service.data, faults }];
  });

function objectIn(setting: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(setting));
  } catch {
    return undefined;
  }
}
