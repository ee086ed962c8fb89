import type * as z from 'zod';

import type { Lookup } from '../model-lookup.ts';
import type { ToolResult } from '../results/page-result.ts';

/** What a call is answered with. */
export interface ToolContext extends Lookup {
  /** How many bytes the records of a result may take. */
  readonly maxBytes: number;
}

/** One tool. */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** Answers a call; rejects with what is wrong with it. */
  readonly run: (args: z.output<Schema>, context: ToolContext) => Promise<ToolResult>;
}

/** A tool whose function takes what its schema gives. */
export function tool<Schema extends z.ZodType>(parts: Tool<Schema>): Tool<Schema> {
  return parts;
}
