import { DataGrid } from '@mui/x-data-grid';
import { createClient } from '@proj/client';
import { muiDataSource } from '@proj/grids/mui-x';
import { createRoot } from 'react-dom/client';

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });
const dataSource = muiDataSource(client, {
  model: 'cities',
  attributes: ['name', 'country_code', 'population', 'latitude'],
});

createRoot(document.querySelector('#root')!).render(
  <div style={{ height: '90vh' }}>
    <DataGrid
      dataSource={dataSource}
      getRowId={dataSource.getRowId}
      pagination
      showToolbar
      columns={[
        { field: 'name', flex: 1 },
        { field: 'country_code' },
        {
          field: 'population',
          type: 'number',
          valueGetter: (value: string | null) => (value === null ? null : Number(value)),
        },
        { field: 'latitude', type: 'number' },
      ]}
      onDataSourceError={(error) => alert(error.message)}
    />
  </div>,
);
