import { createClient } from '@proj/client';
import { tableSource } from '@proj/grids/tanstack-table';
// '@tanstack/react-query' exports the same, and `useQuery` takes what fetchQuery does.
import { QueryClient } from '@tanstack/query-core';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const cities = tableSource(client, {
  model: 'cities',
  attributes: ['name', 'population'],
  filterFns: { name: 'startsWith' }, // as in the columns
});

const { rows, rowCount, pageCount } = await new QueryClient().fetchQuery(
  cities.queryOptions({
    pagination: { pageIndex: 0, pageSize: 2 },
    sorting: [{ id: 'population', desc: true }],
    columnFilters: [{ id: 'name', value: 'city 1' }],
  }),
);
console.log(rows.map(cities.getRowId), rowCount, pageCount); //=> [ '19', '18' ] 11 6
