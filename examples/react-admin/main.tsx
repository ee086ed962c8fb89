import { createClient } from '@proj/client';
import { reactAdminProvider } from '@proj/grids/react-admin';
import { QueryClient } from '@tanstack/react-query';
import {
  Admin,
  DataTable,
  List,
  NumberField,
  NumberInput,
  ReferenceField,
  Resource,
  SearchInput,
  Show,
  SimpleShowLayout,
  TextField,
  TextInput,
} from 'react-admin';
import { createRoot } from 'react-dom/client';

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });
const attributes = ['name', 'country_code', 'country.name', 'population', 'latitude', 'longitude'];
const dataProvider = reactAdminProvider(client, { resources: { cities: { attributes } } });
// The client has repeated what helps.
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

const filters = [
  <SearchInput source="q" alwaysOn />,
  <TextInput source="country_code" />,
  <NumberInput source="population_gte" label="Population from" />,
];

const failed = <p role="alert">The cities could not be read. Refresh to try again.</p>;

const Cities = () => (
  <List
    filters={filters}
    sort={{ field: 'population', order: 'DESC' }}
    exporter={false}
    error={failed}
  >
    <DataTable bulkActionButtons={false}>
      <DataTable.Col source="name" />
      <DataTable.Col source="country.name" label="Country" />
      <DataTable.NumberCol source="population" />
    </DataTable>
  </List>
);

const City = () => (
  <Show>
    <SimpleShowLayout>
      <TextField source="name" />
      <ReferenceField source="country_code" reference="countries" />
      <NumberField source="population" />
      <NumberField source="latitude" />
      <NumberField source="longitude" />
    </SimpleShowLayout>
  </Show>
);

createRoot(document.querySelector('#root')!).render(
  <Admin dataProvider={dataProvider} queryClient={queryClient}>
    <Resource name="cities" list={Cities} show={City} />
    <Resource name="countries" recordRepresentation="name" />
  </Admin>,
);
