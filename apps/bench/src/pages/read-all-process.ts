import { createClient, type RequestOptions } from '@proj/client';

import type { ReadAllInput } from './full-read.ts';
import { answerParent, childInput } from '../processes/child.ts';
import { COLUMNS } from '../tables/bench-database.ts';

const { origin, token, model, size, concurrency } = childInput() as ReadAllInput;
const client = createClient({ baseUrl: origin, token });

answerParent('ready', async () => {
  let count = 0;
  const list = { model, attributes: COLUMNS, size };
  const options: RequestOptions & { concurrency: number } = { concurrency };
  for await (const page of client.pages(list, options)) count += page.records.length;
  return count;
});
