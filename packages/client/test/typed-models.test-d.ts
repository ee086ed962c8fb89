// The compiler is the test: each line below a directive must be an error, and each expectation must
// hold.
import {
  createClient,
  type BinFacet,
  type Collected,
  type DynamicQueryClient,
  type Export,
  type Facets,
  type RecordOf,
  type ModelEntry,
  type Page,
  type QueryFilter,
  type Sort,
  type ValueFacet,
  type wireTypes,
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
  int64: 'bigint',
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

const facets = client.facets({
  model: 'cities',
  facets: [
    { attribute: 'population', values: 3 },
    { attribute: 'population', bins: 3 },
  ],
});
expectTypeOf(facets).resolves.toEqualTypeOf<
  Facets<readonly [ValueFacet<string>, BinFacet<string>]>
>();

const list = { model: 'cities', attributes: ['name', 'population'] } as const;
expectTypeOf(client.export(list)).resolves.toEqualTypeOf<Export<NameAndPopulation>>();
// @ts-expect-error -- an export has no pages
void client.export({ ...list, size: 10 });

const found = client.pageOf({ ...cities, containing: { id: '17' } });
expectTypeOf(found).resolves.toEqualTypeOf<Page<NameAndPopulation>>();
const near = client.pageOf({ ...cities, containing: { id: '17' }, total: { upTo: 1000 } });
expectTypeOf(near).resolves.toEqualTypeOf<Page<NameAndPopulation, bigint | null>>();

const counted = client.query({ ...cities, page: 1, total: 'exact' });
expectTypeOf(counted).resolves.toEqualTypeOf<Page<NameAndPopulation>>();
const uncounted = client.query({ ...cities, page: 1, total: 'none' });
expectTypeOf(uncounted).resolves.toEqualTypeOf<Page<NameAndPopulation, null>>();
const limited = client.pages({ ...cities, total: { upTo: 1000 } });
expectTypeOf(limited).toEqualTypeOf<AsyncIterable<Page<NameAndPopulation, bigint | null>>>();

const visits = client.records({ model: 'visits', attributes: ['at'], size: 1 });
expectTypeOf(visits).toEqualTypeOf<AsyncIterable<{ readonly at: bigint }>>();
expectTypeOf<RecordOf<Models, 'visits', 'tags'>>().toEqualTypeOf<{
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

// @ts-expect-error -- no such attribute to sort by
client.records({ ...cities, sort: [{ attribute: 'at' }] });
// @ts-expect-error -- no such attribute to filter on
client.records({ ...cities, filter: { or: [{ attribute: 'at', op: 'eq', value: 1 }] } });
// @ts-expect-error -- a model has attributes, not a type
createClient<{ cities: string }>({ baseUrl: 'https://data.example.com', token: 'my-access-token' });

const untyped = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const anything: string = 'any';
expectTypeOf(untyped.records({ model: anything, attributes: [anything], size: 1 })).toEqualTypeOf<
  AsyncIterable<Readonly<Record<string, unknown>>>
>();
expectTypeOf(untyped.query({ ...cities, page: 1 })).resolves.toEqualTypeOf<
  Page<Readonly<Record<'name' | 'population', unknown>>>
>();

// Grids write into the arrays that they get.
expectTypeOf<Page<NameAndPopulation>['records']>().toEqualTypeOf<NameAndPopulation[]>();
expectTypeOf<Page<NameAndPopulation>['totalNumber']>().toEqualTypeOf<number | null>();

const visits64 = { model: 'visits', attributes: ['at'], size: 1 } as const;
// Without wire types the values tell what a filter takes.
const filtered = (filter: QueryFilter<Models, 'cities'>) => filter;
filtered({ attribute: 'name', op: 'icontains', value: 'x' });
filtered({ attribute: 'population', op: 'between', value: ['1', 2n] });
filtered({ attribute: 'population', op: 'is_distinct', value: null });
filtered({ attribute: 'population', op: 'is_null', value: false });
// @ts-expect-error -- one value where there are two
filtered({ attribute: 'population', op: 'between', value: '1' });
// @ts-expect-error -- NULL is neither equal nor different
filtered({ attribute: 'population', op: 'eq', value: null });
// @ts-expect-error -- no list
filtered({ attribute: 'name', op: 'in', value: 'x' });
// @ts-expect-error -- a number of 64 bits holds no text
client.records({ ...visits64, filter: { attribute: 'at', op: 'contains', value: 'abc' } });
// @ts-expect-error -- nor is it compared with a truth value
client.records({ ...visits64, filter: { attribute: 'at', op: 'eq', value: true } });
// @ts-expect-error -- an array is NULL or not, no more
client.records({ ...visits64, filter: { attribute: 'tags', op: 'eq', value: 'abc' } });
client.records({ ...visits64, filter: { attribute: 'tags', op: 'is_null', value: true } });

/** As `dq types` writes it, with the wire types. */
interface Declared {
  cities: {
    id: string;
    name: string;
    population: number | null;
    area: number;
    founded: string;
    capital: boolean;
    tags: unknown;
    mixed: number | string | { number: string } | { bytes: string };
    readonly [wireTypes]?: {
      mixed: 'any';
      id: 'int64';
      name: 'text';
      population: 'int32';
      area: 'float64';
      founded: 'date';
      capital: 'boolean';
      tags: 'json';
    };
  };
}

const declared = createClient<Declared>({ baseUrl: 'https://data.example.com', token: 't' });
const every = {
  model: 'cities',
  attributes: ['id', 'name', 'population', 'tags'],
  size: 10,
} as const;
expectTypeOf(declared.records(every)).toEqualTypeOf<
  AsyncIterable<Readonly<Pick<Declared['cities'], 'id' | 'name' | 'population' | 'tags'>>>
>();
// Records have no member of the wire types.
expectTypeOf<keyof RecordOf<Declared, 'cities'>>().toEqualTypeOf<
  'id' | 'name' | 'population' | 'area' | 'founded' | 'capital' | 'tags' | 'mixed'
>();

const where = (filter: QueryFilter<Declared, 'cities'>) => declared.records({ ...every, filter });
where({ attribute: 'name', op: 'contains', value: 'abc' });
where({ attribute: 'founded', op: 'gte', value: '2026-01-31' });
where({ attribute: 'founded', op: 'on', value: '2026-01-31' });
// @ts-expect-error -- a date has no time zone
where({ attribute: 'founded', op: 'on', value: '2026-01-31', time_zone: 'Europe/Paris' });
where({ attribute: 'id', op: 'in', value: ['1', 2, 3n] });
where({ attribute: 'area', op: 'ne', value: 'NaN' });
where({ attribute: 'mixed', op: 'in', value: [1, '1', { number: '9223372036854775807' }] });
where({ attribute: 'mixed', op: 'between', value: [1.5, { bytes: 'AP8=' }] });
// @ts-expect-error -- it would travel as a text
where({ attribute: 'mixed', op: 'eq', value: 1n });
// @ts-expect-error -- not every value of any type is a text
where({ attribute: 'mixed', op: 'contains', value: 'abc' });
where({ and: [{ attribute: 'tags', op: 'is_null', value: true }] });

const by = (attribute: Sort<Declared, 'cities'>['attribute']) => attribute;
by('founded');
by('mixed');
