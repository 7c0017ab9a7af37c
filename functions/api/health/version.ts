/** The service's semantic version. `npm run release` sets it here and in package.json. */
export const VERSION = "0.1.0";
