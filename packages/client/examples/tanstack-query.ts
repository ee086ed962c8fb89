import { createClient, type Page } from '@proj/client';
// '@tanstack/react-query' exports the same.
import { keepPreviousData, QueryClient } from '@tanstack/query-core';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const cities = { model: 'cities', attributes: ['id', 'name'], size: 10 } as const;

/**
 * `const { data } = useQuery(cityPage(page))`: the page that is shown stays until the next one is
 * there.
 */
const cityPage = (page: number) => ({
  queryKey: ['cities', page],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    client.query({ ...cities, page }, { signal }),
  placeholderData: keepPreviousData,
  retry: false, // the client has repeated what helps
});

/** `useInfiniteQuery(cityList)`, for a list that grows as one scrolls. */
const cityList = {
  queryKey: ['cities'],
  queryFn: async ({ pageParam, signal }: { pageParam: number; signal: AbortSignal }) =>
    client.query({ ...cities, page: pageParam }, { signal }),
  initialPageParam: 1,
  getNextPageParam: (page: Page<unknown>) => (page.hasNext ? page.number + 1 : undefined),
  retry: false,
};

const queries = new QueryClient();
const third = await queries.fetchQuery(cityPage(3));
console.log(third.records[0], third.total); //=> { id: 21, name: 'City 21' } 42n
const { pages } = await queries.fetchInfiniteQuery({ ...cityList, pages: 9 });
console.log(pages.map(({ number }) => number).join(' ')); //=> 1 2 3 4 5
queries.clear();
