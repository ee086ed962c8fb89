import { createClient } from '@proj/client';
import { reactAdminProvider } from '@proj/grids/react-admin';
import {
  Admin,
  DataTable,
  List,
  NumberInput,
  Resource,
  SearchInput,
  ShowGuesser,
  TextInput,
} from 'react-admin';
import { createRoot } from 'react-dom/client';

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });
const dataProvider = reactAdminProvider(client);

const filters = [
  <SearchInput source="q" alwaysOn />,
  <TextInput source="country_code" />,
  <NumberInput source="population_gte" label="Population from" />,
];

const Cities = () => (
  <List filters={filters} sort={{ field: 'population', order: 'DESC' }} exporter={false}>
    <DataTable bulkActionButtons={false}>
      <DataTable.Col source="name" />
      <DataTable.Col source="country_code" />
      <DataTable.NumberCol source="population" />
    </DataTable>
  </List>
);

createRoot(document.querySelector('#root')!).render(
  <Admin dataProvider={dataProvider}>
    <Resource name="cities" list={Cities} show={ShowGuesser} />
    <Resource name="countries" />
  </Admin>,
);
