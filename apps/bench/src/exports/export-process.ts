import { answerParent, childInput } from '../processes/child.ts';
import { COLUMNS } from '../tables/bench-database.ts';

/** What the process exports. */
export interface ExportInput {
  readonly origin: string;
  readonly token: string;
  readonly model: string;
}

const { origin, token, model } = childInput() as ExportInput;

const NEWLINE = 10;

/** @throws {Error} when the export has other records than it was said to have */
answerParent('ready', async () => {
  const reply = await fetch(`${origin}/api/v1/dynamic/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query_model: model, query_attributes: COLUMNS }),
  });
  if (!reply.ok || reply.body === null)
    throw new Error(`The export was answered with ${reply.status}: ${await reply.text()}`);
  let lines = 0;
  for await (const chunk of reply.body as ReadableStream<Uint8Array>)
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  const total = Number(reply.headers.get('export-total'));
  if (lines !== total) throw new Error(`The export brought ${lines} of ${total} records.`);
  return lines;
});
