import type { AppWithSecret } from "../../../functions/api/apps/representation.ts";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";

export const CALLBACK = "https://client.example/cb";
export const developer = () => createUser({ plan: "artist" });

export const register = async (who: { token: string }, given: Record<string, unknown> = {}) => {
  const json = { name: "Box Office", redirect_uris: [CALLBACK], ...given };
  return api.as(who).post<AppWithSecret>("/me/apps", { json });
};

export const ownToken = ({ client_id }: { client_id: string }, secret: string) =>
  fetch(`${stack.urls.api}/oauth/token`, {
    method: "POST",
    headers: { Authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
