import type * as z from 'zod';

/** In the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** Alone, with examples, or with what the contract's schema does not state. */
export type Text = string | readonly [description: string, ...examples: unknown[]] | Schema;
export type Members = Readonly<Record<string, Text>>;

/** Schemas of the contract by name, with texts. */
export type Components = Readonly<
  Record<
    string,
    { readonly of: z.core.$ZodType; readonly meaning: string; readonly members: Members }
  >
>;
