/** The part of the untyped package that the bench uses. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  type Fields = Record<string, unknown>;

  interface Model {
    save(ttl?: number): Promise<string>;
  }

  interface Grant extends Model {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
  }

  type ModelOf<Kind> = new (fields: Fields) => Kind;

  export default class Provider {
    constructor(issuer: string, configuration: Fields);
    callback(): RequestListener;
    Client: { find(id: string): Promise<object | undefined> };
    Grant: ModelOf<Grant>;
    RefreshToken: ModelOf<Model>;
    AccessToken: ModelOf<Model>;
  }
}
