import { createClient } from '@proj/client';
import { tableSource } from '@proj/grids/tanstack-table';
import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query';
import {
  columnFilteringFeature,
  createColumnHelper,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

// `dq types > models.ts` writes it.
interface Models {
  cities: { id: string; name: string; country_code: string; population: string | null };
}

const client = createClient<Models>({
  baseUrl: location.origin,
  token: import.meta.env.VITE_TOKEN,
});
const cities = tableSource(client, {
  model: 'cities',
  attributes: ['name', 'country_code', 'population'],
});

type City = Pick<Models['cities'], 'name' | 'country_code' | 'population'>;

const features = tableFeatures({
  columnFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
});
const column = createColumnHelper<typeof features, City>();
const columns = column.columns([
  column.accessor('name', { header: 'Name' }),
  column.accessor('country_code', { header: 'Country' }),
  column.accessor('population', { header: 'Population' }),
]);
const NONE: City[] = [];

function Cities() {
  const [pagination, setPagination] = useState({ pageIndex: 0, pageSize: 10 });
  const [sorting, setSorting] = useState([{ id: 'population', desc: true }]);
  const [columnFilters, setColumnFilters] = useState<{ id: string; value: unknown }[]>([]);
  const state = { pagination, sorting, columnFilters };
  const page = useQuery({ ...cities.queryOptions(state), placeholderData: keepPreviousData });
  const table = useTable({
    features,
    columns,
    data: page.data?.rows ?? NONE,
    pageCount: page.data?.pageCount ?? -1,
    getRowId: cities.getRowId,
    state,
    onPaginationChange: setPagination,
    onSortingChange: setSorting,
    onColumnFiltersChange: setColumnFilters,
    manualPagination: true,
    manualSorting: true,
    manualFiltering: true,
  });
  return (
    <>
      <input
        aria-label="Name"
        onChange={(event) => table.getColumn('name')?.setFilterValue(event.target.value)}
      />
      {page.error && <p role="alert">{page.error.message}</p>}
      <p>{page.data?.rowCount} cities</p>
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id}>
                  <button onClick={header.column.getToggleSortingHandler()}>
                    <table.FlexRender header={header} />
                  </button>
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button disabled={!page.data?.hasNext} onClick={() => table.nextPage()}>
        Next
      </button>
    </>
  );
}

createRoot(document.querySelector('#root')!).render(
  <QueryClientProvider client={new QueryClient()}>
    <Cities />
  </QueryClientProvider>,
);
