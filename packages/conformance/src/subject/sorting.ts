import type { AttributeEntry } from '@proj/client';

import { given } from '../demand.ts';
import type { Subject } from './subject.ts';

/** The member of a request that sorts by one attribute. */
export const sortBy = (attribute: string, more: object = {}) => ({
  query_sort: [{ attribute, ...more }],
});

/** An attribute with the fewest distinct values: sorting by it leaves the most ties. */
export async function tiedAttribute(subject: Subject): Promise<AttributeEntry> {
  const sortable = subject.attributes((attribute) => attribute.sortable);
  const counted = await Promise.all(
    sortable.map(async (entry) => ({ entry, distinct: (await subject.values(entry.name)).length })),
  );
  const [most] = counted.toSorted((a, b) => a.distinct - b.distinct);
  return given(most?.entry, 'no attribute is sortable');
}
