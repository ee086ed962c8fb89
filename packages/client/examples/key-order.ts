import { createClient, type Key } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const list = { model: 'cities', attributes: ['name'], size: 20, order: 'key' } as const;

// Whatever others write meanwhile, every city that stays is met once.
let names = 0;
let last: Key | null = null;
for await (const page of client.pages(list)) {
  names += page.records.length;
  last = page.lastKey; // JSON: it may be stored
}
console.log(names, last); //=> 42 { id: 42 }

// Later, only what has come behind it.
const after = { id: 40 };
for await (const city of client.records({ ...list, after })) console.log(city.name);
//=> City 41
//=> City 42
