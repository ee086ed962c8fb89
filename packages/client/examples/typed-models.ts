import { createClient } from '@proj/client';

// `dq types > models.ts` writes it from the catalogue, with the wire types of the attributes.
interface Models {
  cities: { id: number; name: string; population: number | null };
}

const client = createClient<Models>({
  baseUrl: 'https://data.example.com',
  token: 'my-access-token',
  int64: 'bigint',
});
const { records } = await client.all({
  model: 'cities', // other names, and attributes that cities do not have, do not compile
  attributes: ['name', 'population'],
  filter: { attribute: 'population', op: 'gte', value: 40_000 }, // `contains` does not compile
  sort: [{ attribute: 'population', direction: 'desc' }],
  size: 100,
});
const first: { name: string; population: number | null } | undefined = records[0];
console.log(first); //=> { name: 'City 42', population: 42000 }
