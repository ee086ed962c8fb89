import { createClient } from '@proj/client';
import { refineProvider } from '@proj/grids/refine';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const dataProvider = refineProvider(client, {
  resources: { cities: { attributes: ['name', 'country.name'] } },
}); // <Refine dataProvider={dataProvider}>

const { data, total } = await dataProvider.getList<{ name: string }>({
  resource: 'cities',
  filters: [{ field: 'name', operator: 'startswith', value: 'city 1' }],
  sorters: [{ field: 'country.name', order: 'desc' }],
  pagination: { currentPage: 1, pageSize: 2 },
});
console.log(data[0], total); //=> { name: 'City 10', 'country.name': 'Switzerland', id: '10' } 11
