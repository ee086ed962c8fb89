import { createClient } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const list = { model: 'cities', attributes: ['id', 'population'] } as const;

let people = 0;
for await (const city of client.records({ ...list, size: 20 })) people += Number(city.population);
console.log(people); //=> 792000

for await (const page of client.pages({ ...list, size: 20 }, { concurrency: 8 }))
  console.log(`page ${page.number} of ${page.pageCount}: ${page.records.length} records`);
//=> page 1 of 3: 20 records
//=> page 2 of 3: 20 records
//=> page 3 of 3: 2 records

const all = await client.export(list); // in one request, from one state of the data
for await (const city of all) people -= Number(city.population);
console.log(`${all.total} cities, ${people} people left`); //=> 42 cities, 0 people left
