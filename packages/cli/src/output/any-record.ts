export type AnyRecord = Readonly<Record<string, unknown>>;
