import { createClient, ProblemError } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const list = {
  model: 'cities',
  attributes: ['id', 'name'],
  size: 10,
  sort: [{ attribute: 'id', direction: 'desc' }],
} as const;

const page = await client.pageOf({ ...list, containing: { id: 17 } });
console.log(`City 17 is on page ${page.number} of ${page.pageCount}`); //=> City 17 is on page 3 of 5
console.log(page.records.findIndex(({ id }) => id === 17)); //=> 5
console.log((await page.next())?.number); //=> 4

try {
  await client.pageOf({ ...list, containing: { id: 4711 } });
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.log(error.code); //=> record_not_in_list
}
