import { createClient } from '@proj/client';
import { infiniteDatasource } from '@proj/grids/ag-grid';
import { AllCommunityModule, type GridOptions, ModuleRegistry } from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { createRoot } from 'react-dom/client';

ModuleRegistry.registerModules([AllCommunityModule]);

const client = createClient({ baseUrl: location.origin, token: import.meta.env.VITE_TOKEN });
const datasource = infiniteDatasource(client, {
  model: 'cities',
  attributes: ['name', 'country_code', 'population', 'latitude'],
  onError: (error) => alert(error),
});

const options: GridOptions = {
  rowModelType: 'infinite',
  datasource,
  getRowId: datasource.getRowId,
  cacheBlockSize: 100,
  defaultColDef: { floatingFilter: true, flex: 1 },
  columnDefs: [
    { field: 'name', filter: 'agTextColumnFilter' },
    { field: 'country_code', filter: 'agTextColumnFilter' },
    { field: 'population', filter: 'agNumberColumnFilter' },
    { field: 'latitude', filter: 'agNumberColumnFilter' },
  ],
};

createRoot(document.querySelector('#root')!).render(
  <div style={{ height: '90vh' }}>
    <AgGridReact {...options} />
  </div>,
);
