import { createClient } from '@proj/client';
import { refineProvider } from '@proj/grids/refine';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const dataProvider = refineProvider(client); // <Refine dataProvider={dataProvider}>

const { data, total } = await dataProvider.getList<{ name: string }>({
  resource: 'cities',
  filters: [{ field: 'name', operator: 'startswith', value: 'city 1' }],
  sorters: [{ field: 'population', order: 'desc' }],
  pagination: { currentPage: 1, pageSize: 2 },
});
console.log(data.map(({ name }) => name).join(', '), total); //=> City 19, City 18 11
