import { createClient } from '@proj/client';
import { infiniteDatasource } from '@proj/grids/ag-grid';
import type { GridOptions } from 'ag-grid-community';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const datasource = infiniteDatasource(client, {
  model: 'cities',
  onError: (error) => console.log(String(error)), // the grid learns only that a block failed
});

export const gridOptions: GridOptions = {
  rowModelType: 'infinite',
  datasource,
  getRowId: datasource.getRowId,
  columnDefs: [
    { field: 'name', filter: 'agTextColumnFilter' },
    { field: 'population', filter: 'agNumberColumnFilter' },
  ],
};
