import { createClient, listChange } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const cities = { model: 'cities', attributes: ['id', 'name'] } as const;
const shown = await client.query({ ...cities, page: 1, size: 10 });

for await (const state of client.watch(cities, { everyMs: 500 })) {
  const change = listChange(shown, state); // null while the list is the one that is shown
  console.log(state.total, change?.text ?? 'as it is shown');
  if (change) break;
}
//=> 42n as it is shown
//=> 44n 2 more
