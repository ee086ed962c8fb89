import { createClient } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const list = { model: 'cities', attributes: ['id', 'name'], size: 10 } as const;

/** Reads on where an earlier run stopped; `limit` is in place of whatever interrupts this one. */
async function read(from: number, limit: number): Promise<number> {
  let next = from;
  for await (const page of client.pages({ ...list, from })) {
    console.log(`page ${page.number} of ${page.pageCount}`);
    next = page.number + 1; // store it with the records
    if (next === limit) break; // pending requests are aborted
  }
  return next;
}

const next = await read(1, 3);
await read(next, Infinity);
//=> page 1 of 5
//=> page 2 of 5
//=> page 3 of 5
//=> page 4 of 5
//=> page 5 of 5
