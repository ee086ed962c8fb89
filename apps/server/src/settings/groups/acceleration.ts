import type { Acceleration } from '@proj/engine';
import * as z from 'zod';

const on = z.boolean().default(true);

/** The access paths of pages, each with its switch. */
export const accelerationSettings = z.strictObject({
  short_page_proof: on,
  read_backwards: on,
  total_cache: on,
  page_index: on,
  reply_cache: on,
  single_flight: on,
  memory_mb: z.int().min(1).max(65_536).default(64),
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
