import { createClient } from '@proj/client';
import { refineProvider } from '@proj/grids/refine';
import { Refine, useTable } from '@refinedev/core';
import { createRoot } from 'react-dom/client';

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });
const dataProvider = refineProvider(client);

interface City {
  id: string;
  name: string;
  population: string | null;
}

function Cities() {
  const table = useTable<City>({
    resource: 'cities',
    sorters: { initial: [{ field: 'population', order: 'desc' }] },
  });
  const search = (value: string) =>
    table.setFilters([{ field: 'name', operator: 'contains', value: value || undefined }]);
  return (
    <>
      <input aria-label="Name" onChange={(event) => search(event.target.value)} />
      <p>{table.result.total} cities</p>
      <table>
        <tbody>
          {table.result.data.map(({ id, name, population }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{population}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button onClick={() => table.setCurrentPage((page) => page + 1)}>Next</button>
    </>
  );
}

createRoot(document.querySelector('#root')!).render(
  <Refine dataProvider={dataProvider} options={{ disableTelemetry: true }}>
    <Cities />
  </Refine>,
);
