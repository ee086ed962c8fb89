// The compiler is the test: each line below a directive must be an error, and each expectation must
// hold.
import {
  createClient,
  type Collected,
  type DynamicQueryClient,
  type RecordOf,
  type ModelEntry,
  type Page,
} from '@proj/client';
import { expectTypeOf } from 'vitest';

/** As `dq types` writes it. */
interface Models {
  cities: {
    id: string;
    name: string;
    population: string | null;
  };
  visits: {
    at: bigint;
    tags: readonly string[];
  };
}

type NameAndPopulation = Readonly<Pick<Models['cities'], 'name' | 'population'>>;

const client = createClient<Models>({
  baseUrl: 'https://data.example.com',
  token: 'my-access-token',
});
const cities = { model: 'cities', attributes: ['name', 'population'], size: 10 } as const;

expectTypeOf(client).toEqualTypeOf<DynamicQueryClient<Models>>();
expectTypeOf(client.query({ ...cities, page: 1 })).resolves.toEqualTypeOf<
  Page<NameAndPopulation>
>();
expectTypeOf(client.records(cities)).toEqualTypeOf<AsyncIterable<NameAndPopulation>>();
expectTypeOf(client.pages(cities)).toEqualTypeOf<AsyncIterable<Page<NameAndPopulation>>>();
expectTypeOf(client.all(cities)).resolves.toEqualTypeOf<Collected<NameAndPopulation>>();
expectTypeOf(client.model('visits')).resolves.toEqualTypeOf<ModelEntry>();

const counted = client.query({ ...cities, page: 1, total: 'exact' });
expectTypeOf(counted).resolves.toEqualTypeOf<Page<NameAndPopulation>>();
const uncounted = client.query({ ...cities, page: 1, total: 'none' });
expectTypeOf(uncounted).resolves.toEqualTypeOf<Page<NameAndPopulation, null>>();
const limited = client.pages({ ...cities, total: { upTo: 1000 } });
expectTypeOf(limited).toEqualTypeOf<AsyncIterable<Page<NameAndPopulation, bigint | null>>>();

// @ts-expect-error -- no such total
void client.query({ ...cities, page: 1, total: 'some' });

const visits = client.records({ model: 'visits', attributes: ['at'], size: 1 });
expectTypeOf(visits).toEqualTypeOf<AsyncIterable<{ readonly at: bigint }>>();
expectTypeOf<RecordOf<['tags'], Models['visits']>>().toEqualTypeOf<{
  readonly tags: readonly string[];
}>();

client.records({
  ...cities,
  filter: {
    and: [
      { attribute: 'id', op: 'gt', value: 5n },
      { not: { attribute: 'name', op: 'eq', value: 'x' } },
    ],
  },
  sort: [{ attribute: 'id', direction: 'desc' }],
});

// @ts-expect-error -- no such model
void client.query({ model: 'citys', attributes: ['name'], page: 1, size: 1 });
// @ts-expect-error -- no such model
void client.model('citys');
// @ts-expect-error -- an attribute of another model
void client.query({ model: 'cities', attributes: ['name', 'at'], page: 1, size: 1 });
// @ts-expect-error -- no such attribute
void client.records({ model: 'visits', attributes: ['when'], size: 1 });
// @ts-expect-error -- no such attribute to sort by
client.records({ ...cities, sort: [{ attribute: 'at' }] });
// @ts-expect-error -- no such attribute to filter on
client.records({ ...cities, filter: { or: [{ attribute: 'at', op: 'eq', value: 1 }] } });
// @ts-expect-error -- no such operator
client.records({ ...cities, filter: { attribute: 'name', op: 'like', value: 'x' } });
// @ts-expect-error -- not requested
void client.query({ ...cities, page: 1 }).then(({ records }) => records[0]?.id);
// @ts-expect-error -- a model has attributes, not a type
createClient<{ cities: string }>({ baseUrl: 'https://data.example.com', token: 'my-access-token' });

const untyped = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const anything: string = 'any';
expectTypeOf(untyped.records({ model: anything, attributes: [anything], size: 1 })).toEqualTypeOf<
  AsyncIterable<Readonly<Record<string, unknown>>>
>();
