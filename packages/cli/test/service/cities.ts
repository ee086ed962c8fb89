import {
  facetsOf,
  type ModelEntry,
  operatorsOf,
  SORTABLE_TYPES,
  type WireType,
} from '@proj/contract';

/** One record, in the JSON that travels. */
export type CityRecord = Readonly<Record<string, unknown>>;

/** What a service of the tests holds: the records may be changed while it runs. */
export interface Model {
  readonly entry: ModelEntry;
  records: readonly CityRecord[];
}

const attribute = (
  name: string,
  type: WireType,
  more: Partial<ModelEntry['attributes'][number]> = {},
) => ({
  name,
  type,
  nullable: false,
  description: null,
  operators: operatorsOf(type),
  sortable: SORTABLE_TYPES.has(type),
  facets: [...facetsOf(type)],
  ...more,
});

const ENTRY: ModelEntry = {
  name: 'cities',
  description: 'Places where people live',
  attributes: [
    attribute('id', 'int64'),
    attribute('name', 'text', { description: 'As its people write it' }),
    attribute('population', 'int64', { nullable: true }),
    attribute('area', 'decimal'),
    attribute('founded', 'date', { nullable: true }),
    attribute('capital', 'boolean'),
    attribute('tags', 'json', { nullable: true }),
  ],
  key: ['id'],
  default_sort: [{ attribute: 'id', direction: 'asc', nulls: 'last' }],
  max_page_size: 300,
};

const NAMES = [
  'Zürich',
  'Łódź',
  '100% Inn',
  'snake_town',
  'Ab',
  'back\\slash',
  'Paris, TX',
  '"Quoted"',
];

/**
 * A list of cities, numbered from 1: ties in every attribute but the id, NULL, and values that JSON
 * numbers cannot hold.
 */
export function cities(count: number): Model {
  const records = Array.from({ length: count }, (_, index) => ({
    id: String(9_007_199_254_740_993n + BigInt(index)),
    name: NAMES[index % NAMES.length] ?? '',
    population: index % 3 === 1 ? null : String((index % 5) * 1000),
    area: `${index % 4}.50`,
    founded: index % 6 === 2 ? null : `19${10 + (index % 7)}-01-31`,
    capital: index % 10 === 0,
    tags: index % 2 === 0 ? { rank: index } : index % 9 === 7 ? ['port', index] : null,
  }));
  return { entry: ENTRY, records };
}

/** Cities that belong to other cities: `parent` leads to one of them, and `parts` are those of one. */
export function linkedCities(): Model {
  const { entry, records } = cities(1);
  const [id] = entry.attributes;
  const parent = { ...id, name: 'parent_id', type: 'int64', nullable: true } as const;
  const references = [
    { name: 'parent', inverse: 'parts', attributes: ['parent_id'], model: 'cities', key: ['id'] },
  ];
  const attributes = [...entry.attributes, parent] as ModelEntry['attributes'];
  return { entry: { ...entry, attributes, references }, records };
}
