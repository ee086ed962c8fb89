/** In the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;
