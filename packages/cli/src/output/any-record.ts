/** One record of any model. */
export type AnyRecord = Readonly<Record<string, unknown>>;
