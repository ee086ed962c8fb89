import type { Acceleration } from '@proj/engine';
import * as z from 'zod';

const on = z.boolean().default(true);

/** The access paths of pages, each with its switch. */
export const accelerationSettings = z.strictObject({
  short_page_proof: on.describe(
    'A page that is not full proves the total, which is then not counted.',
  ),
  read_backwards: on.describe('A page beyond the middle is read from the end of the list.'),
  total_cache: on.describe('A total is kept for as long as the data version is current.'),
  page_index: on.describe(
    'Keys at even distances along a list lead to its deep pages while its data is unchanged. ' +
      'Needs `total_cache`.',
  ),
  reply_cache: on.describe(
    'A reply is sent again when a check that began after the request finds the data unchanged.',
  ),
  single_flight: on.describe(
    'Equal requests that wait are answered once, by a read that begins after they arrived.',
  ),
  memory_mb: z
    .int()
    .min(1)
    .max(65_536)
    .default(64)
    .describe(
      'What the caches of the engine may take in memory together, in MiB: ' +
        'prepared queries, totals, page indexes and kept replies. ' +
        'Workers share it in equal parts.',
    ),
});

export function accelerationOf(
  settings: z.output<typeof accelerationSettings>,
): Omit<Acceleration, 'pageIndexMinOffset' | 'leastCountMs' | 'indexBuildMs'> {
  return {
    shortPageProof: settings.short_page_proof,
    readBackwards: settings.read_backwards,
    totalCache: settings.total_cache,
    pageIndex: settings.page_index,
    replyCache: settings.reply_cache,
    singleFlight: settings.single_flight,
    memoryBytes: settings.memory_mb * 2 ** 20,
  };
}
