import { DataGrid, useGridApiRef } from '@mui/x-data-grid';
import { createClient } from '@proj/client';
import { muiDataSource } from '@proj/grids/mui-x';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });
const dataSource = muiDataSource(client, {
  model: 'cities',
  attributes: ['name', 'country.name', 'population', 'latitude'],
});

function Cities() {
  const grid = useGridApiRef();
  const [error, setError] = useState<Error>();
  const forget = () => setError(undefined);
  const tryAgain = () => {
    forget();
    void grid.current?.dataSource.fetchRows();
  };
  return (
    <>
      {error && (
        <p role="alert">
          {error.message} <button onClick={tryAgain}>Try again</button>
        </p>
      )}
      <div style={{ height: '90vh' }}>
        <DataGrid
          apiRef={grid}
          dataSource={dataSource}
          getRowId={dataSource.getRowId}
          pagination
          showToolbar
          columns={[
            { field: 'name', headerName: 'Name', flex: 1 },
            { field: 'country.name', headerName: 'Country', width: 150 },
            {
              field: 'population',
              headerName: 'Population',
              type: 'number',
              width: 150,
              valueGetter: (value: string | null) => (value === null ? null : Number(value)),
            },
            { field: 'latitude', headerName: 'Latitude', type: 'number', width: 120 },
          ]}
          onDataSourceError={setError}
          onPaginationModelChange={forget}
          onSortModelChange={forget}
          onFilterModelChange={forget}
        />
      </div>
    </>
  );
}

createRoot(document.querySelector('#root')!).render(<Cities />);
