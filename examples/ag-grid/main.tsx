import { createClient } from '@proj/client';
import { infiniteDatasource } from '@proj/grids/ag-grid';
import {
  AllCommunityModule,
  type GridApi,
  type GridOptions,
  ModuleRegistry,
  type ValueFormatterParams,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

ModuleRegistry.registerModules([AllCommunityModule]);

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });

const options: GridOptions = {
  rowModelType: 'infinite',
  cacheBlockSize: 100,
  suppressFieldDotNotation: true, // `country.name` is one name
  defaultColDef: { floatingFilter: true, flex: 1 },
  columnDefs: [
    { field: 'name', filter: 'agTextColumnFilter' },
    {
      field: 'country_code',
      headerName: 'Country',
      filter: 'agTextColumnFilter',
      // `equals` of texts needs it: the service compares whole texts exactly.
      filterParams: { caseSensitive: true },
    },
    { field: 'country.name', headerName: 'Name of country', filter: 'agTextColumnFilter' },
    {
      field: 'population',
      filter: 'agNumberColumnFilter',
      sort: 'desc',
      type: 'rightAligned',
      valueFormatter: ({ value }: ValueFormatterParams) => value && Number(value).toLocaleString(),
    },
    { field: 'latitude', filter: 'agNumberColumnFilter', type: 'rightAligned' },
  ],
};

function Cities() {
  const grid = useRef<GridApi>(null);
  const [error, setError] = useState<string>();
  const datasource = useMemo(
    () =>
      infiniteDatasource(client, {
        model: 'cities',
        attributes: ['name', 'country_code', 'country.name', 'population', 'latitude'],
        onError: (error) => setError(error instanceof Error ? error.message : String(error)),
      }),
    [],
  );
  const tryAgain = () => {
    setError(undefined);
    grid.current?.purgeInfiniteCache();
  };
  return (
    <>
      {error && (
        <p role="alert">
          {error} <button onClick={tryAgain}>Try again</button>
        </p>
      )}
      <div style={{ height: '90vh' }}>
        <AgGridReact
          {...options}
          datasource={datasource}
          getRowId={datasource.getRowId}
          onGridReady={({ api }) => (grid.current = api)}
          onFilterChanged={() => setError(undefined)}
          onSortChanged={() => setError(undefined)}
        />
      </div>
    </>
  );
}

createRoot(document.querySelector('#root')!).render(<Cities />);
