import { createClient, type relations, type wireTypes } from '@proj/client';
import type { GridChange } from '@proj/grids';
import { tableSource } from '@proj/grids/tanstack-table';
import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query';
import {
  createColumnHelper,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// `dq types > models.ts` writes it.
interface Models {
  cities: {
    id: string;
    name: string;
    population: string | null;
    readonly [wireTypes]?: { id: 'int64'; name: 'text'; population: 'int64' };
    readonly [relations]?: { country: 'countries' };
  };
  countries: { name: string; readonly [wireTypes]?: { name: 'text' } };
}

const client = createClient<Models>({
  baseUrl: location.origin,
  token: import.meta.env.VITE_TOKEN,
});
const cities = tableSource(client, {
  model: 'cities',
  attributes: ['name', 'country.name', 'population'],
});

type City = Parameters<typeof cities.getRowId>[0];

const features = tableFeatures({ rowPaginationFeature, rowSortingFeature });
const column = createColumnHelper<typeof features, City>();
const columns = column.columns([
  column.accessor('name', { header: 'Name' }),
  column.accessor((city) => city['country.name'], { id: 'country.name', header: 'Country' }),
  column.accessor('population', {
    header: 'Population',
    cell: ({ getValue }) => getValue() && Number(getValue()).toLocaleString(),
  }),
]);
const NONE: City[] = [];
const ARROWS = { asc: ' ↑', desc: ' ↓', false: '' };

function Cities() {
  const [name, setName] = useState('');
  const [pagination, setPagination] = useState({ pageIndex: 0, pageSize: 10 });
  const [sorting, setSorting] = useState([{ id: 'population', desc: true }]);
  const toFirstPage = () => setPagination((page) => ({ ...page, pageIndex: 0 }));
  const state = { pagination, sorting, columnFilters: [{ id: 'name', value: name }] };
  const page = useQuery({ ...cities.queryOptions(state), placeholderData: keepPreviousData });
  const [change, setChange] = useState<GridChange | null>(null);
  useEffect(() => cities.watch(setChange), []);
  const table = useTable({
    features,
    columns,
    data: page.data?.rows ?? NONE,
    pageCount: page.data?.pageCount ?? -1,
    getRowId: cities.getRowId,
    state: { pagination, sorting },
    onPaginationChange: setPagination,
    onSortingChange: (change) => {
      setSorting(change);
      toFirstPage();
    },
    manualPagination: true,
    manualSorting: true,
    sortDescFirst: false,
  });
  return (
    <>
      <input
        aria-label="Name"
        placeholder="Name"
        onChange={(event) => {
          setName(event.target.value);
          toFirstPage();
        }}
      />
      {page.error && (
        <p role="alert">
          {page.error.message} <button onClick={() => page.refetch()}>Try again</button>
        </p>
      )}
      <p>{page.data ? `${page.data.rowCount?.toLocaleString()} cities` : 'Cities'}</p>
      <p role="status">
        {change && <button onClick={() => page.refetch()}>Show it: {change.text}</button>}
      </p>
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id}>
                  <button onClick={header.column.getToggleSortingHandler()}>
                    <table.FlexRender header={header} />
                    {ARROWS[`${header.column.getIsSorted()}`]}
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
      <button disabled={pagination.pageIndex === 0} onClick={() => table.previousPage()}>
        Previous
      </button>{' '}
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
