import { createInnerServer, innerUrl, listenForWorker } from "../worker/loopback.ts";
import { socialEndpoints } from "./endpoints.ts";
import { openGrants } from "./grants.ts";
import { socialPages } from "./pages.ts";

/**
 * Imitates the social services, so that connecting works locally from end to end. The front serves the
 * consent pages, an inner server what the Worker calls.
 */
export async function startSocial(webUrl: string, secret: string) {
  const grants = openGrants(`${webUrl}/connections/callback`);
  const answer = socialEndpoints(grants);
  const server = createInnerServer(secret, (request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const port = await listenForWorker(server);

  const from = (name: string, endpoint: string) => `${innerUrl(port, secret)}/${name}/${endpoint}`;
  const service = (name: string, profiles: object[]) => ({
    client_id: grants.client.id,
    client_secret: grants.client.secret,
    authorization_endpoint: `${webUrl}/dev/social/${name}/authorize`,
    token_endpoint: from(name, "token"),
    profiles,
    post: { endpoint: from(name, "posts"), body: { profile: "{id}", message: "{text}", link: "{url}" } },
  });
  const services = {
    facebook_profile: service("facebook_profile", [
      { endpoint: from("facebook_profile", "profile") },
      { endpoint: from("facebook_profile", "pages"), service: "facebook_page" },
    ]),
    facebook_page: service("facebook_page", [{ endpoint: from("facebook_page", "pages") }]),
    twitter: service("twitter", [{ endpoint: from("twitter", "profile") }]),
    myspace: service("myspace", [{ endpoint: from("myspace", "profile") }]),
  };

  return {
    /** Value of the Worker's setting CONNECTION_SERVICES. */
    setting: JSON.stringify(services),
    pages: socialPages(grants),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
