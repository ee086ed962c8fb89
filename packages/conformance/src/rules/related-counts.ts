import { MAX_ATTRIBUTES } from '@proj/contract';

import { countOf, demandEqual } from '../demand.ts';
import { rulesOf } from '../rule.ts';
import type { JsonObject } from '../subject/json.ts';
import { countsInOrder, sortBy } from '../subject/occasion.ts';
import { inverseOccasion, type InverseOccasion } from '../subject/relations.ts';
import type { Subject } from '../subject/subject.ts';

/** A list that counts what refers to its records. */
interface Counting extends InverseOccasion {
  /** The count. */
  readonly name: string;
  readonly query_related: readonly JsonObject[];
}

const SIZE = 20;

/** So many counts are counted once more by queries. */
const COUNTED = 3;

async function countingIn(subject: Subject): Promise<Counting> {
  await subject.needs('filters-and-sorting');
  await subject.needs('related-counts');
  const occasion = await inverseOccasion(subject);
  const taken = new Set(occasion.to.entry.attributes.map((attribute) => attribute.name));
  let name = 'records';
  while (taken.has(name)) name += '_';
  const query_related = [{ name, related: occasion.inverse, op: 'count' }];
  return { ...occasion, name, query_related };
}

/** The records that refer to one. */
function referringTo({ reference: { attributes, key } }: Counting, record: JsonObject): JsonObject {
  const equal = attributes.map((attribute, index) => {
    return { attribute, op: 'eq', value: record[key[index] ?? ''] };
  });
  return { and: equal };
}

async function readCounts(counting: Counting, more: JsonObject): Promise<readonly JsonObject[]> {
  const { to, name, query_related, reference } = counting;
  const query_attributes = [...new Set([...reference.key, name])];
  return (await to.first(SIZE, { query_related, query_attributes, ...more })).result;
}

async function totalOf({ to, query_related }: Counting, query_filter: JsonObject) {
  return (await to.first(1, { query_related, query_filter })).total;
}

/** Counts of the records that refer to each record. */
export const RELATED_COUNT_RULES = rulesOf('related-counts', {
  'related-values': {
    sentence:
      'A count of query_related is the total of the list of what refers to the record, with the ' +
      'filter of the count: what the token does not see is not counted.',
    check: async (subject) => {
      const counting = await countingIn(subject);
      const { from, name, inverse, reference } = counting;
      const [attribute = ''] = reference.attributes;
      const filters = [undefined, { attribute, op: 'is_null', value: true }];
      for (const filter of filters) {
        const query_related = [{ name, related: inverse, op: 'count', ...(filter && { filter }) }];
        for (const direction of ['asc', 'desc']) {
          const more = { query_related, ...sortBy(name, { direction }) };
          const records = await readCounts(counting, more);
          for (const record of records.slice(0, COUNTED)) {
            const equal = referringTo(counting, record);
            const total = await from.count(filter ? { and: [equal, filter] } : equal);
            const what = `${inverse} of ${JSON.stringify(record)}`;
            demandEqual(countOf(record, name), total, `${what}: the count`);
          }
        }
      }
    },
  },
  'related-list': {
    sentence: 'A count that is selected changes neither the total nor the records nor their order.',
    check: async (subject) => {
      const { to, name, inverse, query_related } = await countingIn(subject);
      const own = to.selection.attributes.slice(0, MAX_ATTRIBUTES - 1);
      const without = await to.first(SIZE, { query_attributes: own });
      const query_attributes = [...own, name];
      const counted = await to.first(SIZE, { query_attributes, query_related });
      demandEqual(counted.total, without.total, `with counts of ${inverse}: the total`);
      demandEqual(
        counted.result.map((record) => own.map((attribute) => record[attribute])),
        without.result.map((record) => own.map((attribute) => record[attribute])),
        `with counts of ${inverse}: the records`,
      );
    },
  },
  'related-filter': {
    sentence:
      'The records with a count of 1 or more are those that some keeps, and those with 0 those ' +
      'that none keeps.',
    check: async (subject) => {
      const counting = await countingIn(subject);
      const { to, name: attribute, inverse } = counting;
      const some = await totalOf(counting, { attribute, op: 'gte', value: '1' });
      demandEqual(some, await to.count({ related: inverse, some: {} }), `some ${inverse}`);
      const none = await totalOf(counting, { attribute, op: 'eq', value: '0' });
      demandEqual(none, await to.count({ related: inverse, none: {} }), `no ${inverse}`);
    },
  },
  'related-sort': {
    sentence: 'Sorted by a count, records come in its order, in both directions.',
    check: async (subject) => {
      const counting = await countingIn(subject);
      const { name, inverse, to } = counting;
      const counted = await to.count({ related: inverse, some: {} });
      for (const direction of ['asc', 'desc']) {
        const records = await readCounts(counting, sortBy(name, { direction }));
        const counts = records.map((record) => countOf(record, name));
        const what = `sorted by the count of ${inverse} ${direction}`;
        demandEqual(counts, countsInOrder(counts, direction), what);
        if (direction === 'asc') continue;
        const first = Math.min(Number(counted), SIZE, to.maximum);
        const above = counts.filter((count) => count > 0n);
        demandEqual(above.length, first, `${what}: counts above 0`);
      }
    },
  },
  'related-errors': {
    sentence:
      'A name by which nothing refers is refused with unknown_attribute, and a count that is ' +
      'named like an attribute with duplicate_attribute.',
    check: async (subject) => {
      const { to, inverse, name } = await countingIn(subject);
      const [own] = to.selection.attributes;
      const wrong = [
        [{ name, related: 'no such relation' }, 'unknown_attribute', 'related'],
        [{ name: own, related: inverse }, 'duplicate_attribute', 'name'],
      ] as const;
      for (const [term, code, at] of wrong) {
        const query_related = [{ ...term, op: 'count' }];
        await to.refuses({ query_related }, code, `/query_related/0/${at}`);
      }
    },
  },
});
