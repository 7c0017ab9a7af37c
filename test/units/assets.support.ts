/**
 * Imports a script of the site's pages. They are checked with the types of browsers, so tests do not name them in
 * imports of their own, which would be checked with those of Node.
 */
export const asset = (name: string) => import(`${import.meta.dirname}/../../functions/ui/assets/${name}`);
