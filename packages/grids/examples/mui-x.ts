import type { DataGridProps } from '@mui/x-data-grid';
import { createClient } from '@proj/client';
import { muiDataSource } from '@proj/grids/mui-x';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const dataSource = muiDataSource(client, {
  model: 'cities',
  attributes: ['name', 'population', 'country.name'],
});

export const gridProps: DataGridProps = {
  dataSource, // the same object in every render
  getRowId: dataSource.getRowId,
  pagination: true,
  columns: [
    { field: 'name' },
    { field: 'country.name' },
    { field: 'population', type: 'number', valueGetter: (value) => value && Number(value) },
  ],
  onDataSourceError: (error) => console.log(error.message),
};
