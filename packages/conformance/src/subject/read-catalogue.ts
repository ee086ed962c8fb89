import { API_PATHS, catalogueSchema, type ModelEntry } from '@proj/contract';

import { membersOf } from './json-object.ts';
import type { Send } from './send.ts';

/**
 * The models of the catalogue. What is wrong with it is found by its own rules; here it counts as
 * none.
 */
export async function readCatalogue(send: Send): Promise<readonly ModelEntry[]> {
  const { json } = await send({ path: API_PATHS.models });
  const models = membersOf(json)['models'];
  const entries = Array.isArray(models) ? models : [];
  return entries.flatMap((entry) => {
    const reading = catalogueSchema.safeParse({ models: [entry] });
    return reading.success ? reading.data.models : [];
  });
}
