import {
  cities,
  type CityRecord,
  linkedCities,
  type Model,
} from '../../../cli/test/service/cities.ts';

/** How many cities have parts. */
const PARENTS = 5;

/**
 * Cities of which some belong to others. What a path along `parent` leads to is an attribute of its
 * own here, which the catalogue does not show.
 */
export function citiesWithParents(count: number): Model {
  const { records } = cities(count);
  const { entry } = linkedCities();
  const paths = entry.attributes.map((attribute) => ({
    ...attribute,
    name: `parent.${attribute.name}`,
    nullable: true,
  }));
  const own = records.map((record, index) => ({ ...record, parent_id: parentOf(records, index) }));
  return {
    entry: { ...entry, attributes: [...entry.attributes, ...paths] },
    records: own.map((record) => {
      const parent: CityRecord = own.find(({ id }: CityRecord) => id === record.parent_id) ?? {};
      const led = entry.attributes.map(({ name }) => [`parent.${name}`, parent[name] ?? null]);
      return { ...record, ...Object.fromEntries(led) };
    }),
  };
}

/** Some have none, and that of others is not there. */
function parentOf(records: readonly CityRecord[], index: number): unknown {
  if (index % 4 === 3) return null;
  return index % 4 === 1 ? '1' : records[index % PARENTS]?.['id'];
}
