import { createClient } from '@proj/client';
import { infiniteDatasource } from '@proj/grids/ag-grid';
import type { GridOptions } from 'ag-grid-community';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const datasource = infiniteDatasource(client, {
  model: 'cities',
  attributes: ['name', 'population', 'country.name'],
  onError: (error) => console.log(String(error)), // the grid learns only that a block failed
});

export const gridOptions: GridOptions = {
  rowModelType: 'infinite',
  datasource,
  getRowId: datasource.getRowId,
  suppressFieldDotNotation: true, // `country.name` is one name
  columnDefs: [
    { field: 'name', filter: 'agTextColumnFilter' },
    { field: 'population', filter: 'agNumberColumnFilter' },
    { field: 'country.name', filter: 'agTextColumnFilter' },
  ],
};
