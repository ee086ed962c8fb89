import * as z from 'zod';

const size = z.string().regex(/^\d+ ?([KMGT]i?)?B$/, 'expected a size such as 2GB');

/** What the process of the service lends to DuckDB. */
export const duckdbSettings = z.strictObject({
  memory: size
    .default('1GB')
    .describe('What its statements may take together; sorts and groups go to files beyond.'),
  threads: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('On how many threads they run; one for each processor by default.'),
  spill_folder: z
    .string()
    .min(1)
    .optional()
    .describe('Where those files are; below the temporary folder of the system by default.'),
  spill: size.default('10GB').describe('What those files may take together.'),
});
