/** The version of the package; `npm run check` compares it with package.json. */
export const VERSION = "0.1.0";
