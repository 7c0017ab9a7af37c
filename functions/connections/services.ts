import * as z from "zod";
import type { Env } from "../http/env.ts";
import { logLine } from "../http/log.ts";

/** Where people have other profiles. Which of them are offered is the operator's choice. */
export const SERVICE_NAMES = ["facebook_profile", "facebook_page", "twitter", "myspace"] as const;
export const ServiceName = z.enum(SERVICE_NAMES, `must be one of ${SERVICE_NAMES.join(", ")}`);
export type ServiceName = z.output<typeof ServiceName>;

const TITLES: Record<string, string> = {
  facebook_profile: "Facebook",
  facebook_page: "Facebook",
  twitter: "Twitter",
  myspace: "Myspace",
} satisfies Record<ServiceName, string>;

/** As people call it. */
export const serviceTitle = (name: string): string => TITLES[name] ?? name;

/** Codes, secrets and tokens go there: nobody on the way may read them. */
const Endpoint = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^https:|^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/]/.test(url), "must be https");

/** We are an OAuth client there: RFC 6749, with PKCE. */
const Service = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  token_endpoint_auth_method: z
    .enum(["client_secret_basic", "client_secret_post"])
    .default("client_secret_basic"),
  /** What `iss` says of an answer, where the service sends it: RFC 9207. */
  issuer: z.url().optional(),
  scope: z.string().optional(),
  /** Where the profiles are read that one consent connects; `service` where they are another kind, as pages are. */
  profiles: z
    .array(z.object({ endpoint: Endpoint, service: ServiceName.optional() }))
    .min(1)
    .max(5),
  /** How to post there, where that is offered: `{id}` is the profile's, `{text}` and `{url}` tell of the track. */
  post: z
    .object({
      endpoint: Endpoint,
      body: z.record(z.string(), z.string()),
      type: z.enum(["json", "form"]).default("json"),
    })
    .optional(),
});
export type Service = z.output<typeof Service>;

type Configured = Pick<Env, "CONNECTION_SERVICES">;

const known = new Map<string, Map<string, Service>>();

/** `undefined` where the operator has not set the service up. */
export function serviceNamed({ CONNECTION_SERVICES }: Configured, name: string): Service | undefined {
  const services = known.get(CONNECTION_SERVICES) ?? servicesIn(CONNECTION_SERVICES);
  known.set(CONNECTION_SERVICES, services);
  return services.get(name);
}

/** One that is set up wrongly is as if it were not there, and the log says so: the others go on. */
function servicesIn(setting: string): Map<string, Service> {
  const services = new Map<string, Service>();
  for (const [name, given] of Object.entries(objectIn(setting))) {
    const service = Service.safeParse(given);
    const faults = [...(ServiceName.safeParse(name).error?.issues ?? []), ...(service.error?.issues ?? [])];
    if (!faults.length && service.data) services.set(name, service.data);
    // Paths alone: a value may be a secret.
    else
      logLine("error", "connection_service_malformed", {
        name,
        at: faults.map(({ path }) => path.join(".")),
      });
  }
  return services;
}

function objectIn(setting: string): object {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(setting));
  } catch {
    logLine("error", "connection_services_malformed");
    return {};
  }
}
