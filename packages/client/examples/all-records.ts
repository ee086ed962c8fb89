import { createClient } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const list = { model: 'cities', attributes: ['id', 'population'], size: 20 } as const;

let people = 0;
for await (const city of client.records(list)) people += Number(city.population);
console.log(people); //=> 792000

for await (const page of client.pages(list)) console.log(page.number, page.records.length);
//=> 1 20
//=> 2 20
//=> 3 2
