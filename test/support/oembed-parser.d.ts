/** The package's `exports` do not lead to its types. */
declare module "oembed-parser" {
  interface Provider {
    provider_name: string;
    provider_url: string;
    endpoints: { schemes: string[]; url: string; formats: string[]; discovery: boolean }[];
  }
  export function extract(
    url: string,
    params: { maxwidth?: number },
    options: { proxy: { target: string } },
  ): Promise<unknown>;
  export function hasProvider(url: string): boolean;
  export function setProviderList(providers: Provider[]): number;
}
