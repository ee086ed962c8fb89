import { createClient } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const list = { model: 'cities', attributes: ['id', 'population'], size: 20 } as const;

let people = 0;
for await (const city of client.records(list)) people += Number(city.population);
console.log(people); //=> 792000

const pages = client.pages(list, {
  concurrency: 8,
  onProgress: ({ read, total, page, pageCount }) =>
    console.log(`page ${page} of ${pageCount}, record ${read} of ${total}`),
});
for await (const page of pages) console.log(page.records.length);
//=> page 1 of 3, record 20 of 42
//=> 20
//=> page 2 of 3, record 40 of 42
//=> 20
//=> page 3 of 3, record 42 of 42
//=> 2
