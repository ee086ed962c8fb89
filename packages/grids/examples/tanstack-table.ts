import { createClient } from '@proj/client';
import type { Row } from '@proj/grids';
import { tableSource } from '@proj/grids/tanstack-table';
// '@tanstack/react-query' exports the same, and `useQuery` takes what fetchQuery does.
import { QueryClient } from '@tanstack/query-core';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const cities = tableSource(client, {
  model: 'cities',
  attributes: ['name', 'country.name'],
  filterFns: { name: 'startsWith' }, // as in the columns
});

export const columns = [
  { accessorKey: 'name' },
  { id: 'country.name', accessorFn: (city: Row) => city['country.name'] },
];

const { rows, rowCount, pageCount } = await new QueryClient().fetchQuery(
  cities.queryOptions({
    pagination: { pageIndex: 0, pageSize: 2 },
    sorting: [{ id: 'country.name', desc: true }],
    columnFilters: [{ id: 'name', value: 'city 1' }],
  }),
);
console.log(rows.map(cities.getRowId), rowCount, pageCount); //=> [ '10', '12' ] 11 6
