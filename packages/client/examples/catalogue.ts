import { createClient } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });

for (const model of await client.models()) console.log(model.name, model.max_page_size); //=> cities 1000

const cities = await client.model('cities');
for (const attribute of cities.attributes) console.log(attribute.name, attribute.type);
//=> id int32
//=> name text
//=> population int32
