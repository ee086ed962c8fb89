import { createClient } from '@proj/client';
import type { ExportFormatName } from '@proj/contract';

import { answerParent, childInput } from '../processes/child.ts';
import { COLUMNS } from '../tables/bench-database.ts';

/** What the process exports. */
export interface ExportInput {
  readonly origin: string;
  readonly token: string;
  readonly model: string;
}

const { origin, token, model } = childInput() as ExportInput;

/**
 * Reads a list in the form that the parent names, whole, and counts its records as the client does.
 *
 * @throws {Error} when the export breaks off
 */
answerParent('ready', async (format) => {
  const client = createClient({ baseUrl: origin, token, timeoutMs: 600_000 });
  const list = { model, attributes: COLUMNS };
  const { total, body } = await client.exportFile(list, { format: format as ExportFormatName });
  await body.pipeTo(new WritableStream());
  return Number(total);
});
