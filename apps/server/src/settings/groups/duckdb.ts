import * as z from 'zod';

const size = z.string().regex(/^\d+ ?([KMGT]i?)?B$/, 'expected a size such as 2GB');

/** What the process of the service lends to DuckDB. */
export const duckdbSettings = z.strictObject({
  memory: size.default('1GB'),
  threads: z.int().min(1).max(1024).optional(),
  spill_folder: z.string().min(1).optional(),
  spill: size.default('10GB'),
});
