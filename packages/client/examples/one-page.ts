import { createClient } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const page = await client.query({
  model: 'cities',
  attributes: ['name', 'population'],
  filter: { attribute: 'id', op: 'lte', value: 42 },
  sort: [{ attribute: 'id' }],
  page: 3,
  size: 10,
});

console.log(page.records[1]); //=> { name: 'City 22', population: null }
console.log(`page ${page.number} of ${page.pageCount}, ${page.total} cities in all`); //=> page 3 of 5, 42 cities in all

const next = await page.next(); // null after the last page
console.log(next?.number, next?.hasNext); //=> 4 true
const last = await page.at(5);
console.log(last.records.length); //=> 2
