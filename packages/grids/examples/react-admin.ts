import { createClient } from '@proj/client';
import { reactAdminProvider } from '@proj/grids/react-admin';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const dataProvider = reactAdminProvider(client, {
  resources: { towns: { model: 'cities', attributes: ['name', 'country.name'] } },
}); // <Admin dataProvider={dataProvider}>

const { data, total } = await dataProvider.getList<{ name: string }>('towns', {
  filter: { population_gte: 40_000, 'country.name_q': 'LAND' },
  sort: { field: 'population', order: 'DESC' },
  pagination: { page: 1, perPage: 2 },
});
console.log(data[0], total); //=> { name: 'City 42', 'country.name': 'Switzerland', id: '42' } 2
