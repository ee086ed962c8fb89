import { createClient, type ListChange, listChange, type Page } from '@proj/client';
// '@tanstack/react-query' exports the same.
import { QueryClient } from '@tanstack/query-core';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const queries = new QueryClient();
const cities = { model: 'cities', attributes: ['id', 'name'] } as const;

/** For `useQuery(cityPage(page))`. */
const cityPage = (page: number) => ({
  queryKey: ['cities', page],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    client.query({ ...cities, page, size: 10 }, { signal }),
  retry: false,
});

/**
 * For `useEffect(() => watchCities(page, setChange), [page])`: how the list differs from the page
 * that was read, or null. It returns what ends it.
 */
function watchCities(page: number, onChange: (change: ListChange | null) => void): () => void {
  const leaving = new AbortController();
  const { queryKey } = cityPage(page);
  const follow = async (): Promise<void> => {
    for await (const state of client.watch(cities, { signal: leaving.signal })) {
      const shown = queries.getQueryData<Page<unknown>>(queryKey);
      onChange(shown ? listChange(shown, state) : null);
    }
  };
  follow().catch(() => undefined); // without watches, the page stays as it was read
  return () => leaving.abort();
}

/** For the button beside `change.text`, with `setChange(null)`. */
const refresh = async () => queries.invalidateQueries({ queryKey: ['cities'], refetchType: 'all' });

await queries.prefetchQuery(cityPage(5));
const change = await new Promise<ListChange>((resolve) => {
  const end = watchCities(5, (found) => {
    if (found === null) return;
    resolve(found);
    end();
  });
});
console.log(change.text); //=> 2 more
await refresh();
console.log(queries.getQueryData<Page<unknown>>(['cities', 5])?.records.length); //=> 4
