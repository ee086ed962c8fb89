import { createClient } from '@proj/client';
import { refineProvider } from '@proj/grids/refine';
import { Refine, useTable } from '@refinedev/core';
import { createRoot } from 'react-dom/client';

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });
const attributes = ['name', 'country.name', 'population'];
const dataProvider = refineProvider(client, { resources: { cities: { attributes } } });

interface City {
  id: string;
  name: string;
  'country.name': string | null;
  population: string | null;
}

function Cities() {
  const table = useTable<City>({
    resource: 'cities',
    sorters: { initial: [{ field: 'population', order: 'desc' }] },
  });
  const { error, refetch } = table.tableQuery;
  const search = (value: string) => {
    table.setFilters([{ field: 'name', operator: 'contains', value: value || undefined }]);
    table.setCurrentPage(1);
  };
  return (
    <>
      <input
        aria-label="Name"
        placeholder="Name"
        onChange={(event) => search(event.target.value)}
      />
      {error && (
        <p role="alert">
          {error.message} <button onClick={() => refetch()}>Try again</button>
        </p>
      )}
      <p>{table.result.total?.toLocaleString()} cities</p>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Country</th>
            <th>Population</th>
          </tr>
        </thead>
        <tbody>
          {table.result.data.map(({ id, name, population, ...city }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{city['country.name']}</td>
              <td>{population && Number(population).toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button
        disabled={table.currentPage === 1}
        onClick={() => table.setCurrentPage((page) => page - 1)}
      >
        Previous
      </button>{' '}
      <button
        disabled={table.currentPage >= table.pageCount}
        onClick={() => table.setCurrentPage((page) => page + 1)}
      >
        Next
      </button>
    </>
  );
}

const options = {
  disableTelemetry: true,
  // The client has repeated what helps.
  reactQuery: { clientConfig: { defaultOptions: { queries: { retry: false } } } },
};

createRoot(document.querySelector('#root')!).render(
  <Refine dataProvider={dataProvider} options={options}>
    <Cities />
  </Refine>,
);
