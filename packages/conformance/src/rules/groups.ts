import { demandEqual } from '../demand.ts';
import { rulesOf } from '../rule.ts';
import {
  dayOccasion,
  type Group,
  groupable,
  groupOccasion,
  readAllGroups,
} from '../subject/groups.ts';
import { countsInOrder, sortBy, sumOf } from '../subject/occasion.ts';

/** So many groups are counted once more by queries. */
const COUNTED = 5;

/** Demands the same groups, in whatever order. */
function demandGroups(got: readonly Group[], expected: readonly Group[], what: string): void {
  const [came, wanted] = [got, expected].map((groups) =>
    groups.map(({ value, count }) => JSON.stringify([value, String(count)])).toSorted(),
  );
  demandEqual(came, wanted, `${what}: the groups`);
}

/** What the records of a list are when they are grouped. */
export const GROUP_RULES = rulesOf('groups', {
  'group-total': {
    sentence:
      'The counts of all groups by an attribute add up to the total of the list, and page.total ' +
      'is how many groups there are.',
    check: async (subject) => {
      const { attribute, groups, total } = await groupOccasion(subject);
      const sum = sumOf(groups.map(({ count }) => count));
      demandEqual(sum, await subject.count(), `by ${attribute}: the sum of the counts`);
      demandEqual(total, BigInt(groups.length), `by ${attribute}: page.total`);
    },
  },
  'group-counts': {
    sentence:
      'The count of a group is the total of the list with eq to its value, and that of NULL the ' +
      'total with is_null.',
    check: async (subject) => {
      await subject.needs('filters-and-sorting');
      const { attribute, groups } = await groupOccasion(subject);
      const nulls = groups.filter(({ value }) => value === null).map(({ count }) => count);
      const isNull = await subject.count({ attribute, op: 'is_null', value: true });
      demandEqual(sumOf(nulls), isNull, `by ${attribute}: the count of NULL`);
      const values = groups.filter(({ value }) => value !== null);
      for (const { value, count } of values.slice(0, COUNTED)) {
        const equal = await subject.count({ attribute, op: 'eq', value });
        demandEqual(count, equal, `by ${attribute}: the count of ${JSON.stringify(value)}`);
      }
    },
  },
  'group-days': {
    sentence:
      'The count of a group by day is the total of the list with on and its day, both with the ' +
      'same time_zone where the attribute is an instant.',
    check: async (subject) => {
      await subject.needs('filters-and-sorting');
      const { attribute, zone, groups } = await dayOccasion(subject);
      for (const { value, count } of groups.slice(0, COUNTED)) {
        const within = await subject.count({ attribute, op: 'on', value, ...zone });
        const what = `by ${attribute}, ${JSON.stringify(zone)}`;
        demandEqual(count, within, `${what}: the count of ${JSON.stringify(value)}`);
      }
    },
  },
  'group-values': {
    sentence: 'No two groups have the same value.',
    check: async (subject) => {
      const { attribute, groups } = await groupOccasion(subject);
      const values = groups.map(({ value }) => JSON.stringify(value));
      const repeated = values.filter((value, index) => values.indexOf(value) !== index);
      demandEqual(repeated, [], `by ${attribute}: values that came before`);
    },
  },
  'group-filter': {
    sentence:
      'query_group_filter keeps the groups whose count meets it and no others, and page.total ' +
      'counts them.',
    check: async (subject) => {
      const { groups, ...grouping } = await groupOccasion(subject);
      const { attribute, counted } = grouping;
      const counts = countsInOrder(
        groups.map(({ count }) => count),
        'asc',
      );
      const middle = counts[Math.floor((counts.length - 1) / 2)] ?? 0n;
      const query_group_filter = { attribute: counted, op: 'gt', value: String(middle) };
      const kept = await readAllGroups(subject, grouping, { query_group_filter });
      const expected = groups.filter(({ count }) => count > middle);
      const what = `by ${attribute}, with a count above ${middle}`;
      demandGroups(kept.groups, expected, what);
      demandEqual(kept.total, BigInt(expected.length), `${what}: page.total`);
    },
  },
  'group-sort': {
    sentence: 'Sorted by their count, all groups come in its order, in both directions.',
    check: async (subject) => {
      const { groups, ...grouping } = await groupOccasion(subject);
      for (const direction of ['asc', 'desc']) {
        const more = sortBy(grouping.counted, { direction });
        const sorted = await readAllGroups(subject, grouping, more);
        const what = `by ${grouping.attribute}, sorted by the count ${direction}`;
        const counts = sorted.groups.map(({ count }) => count);
        demandEqual(counts, countsInOrder(counts, direction), `${what}: the counts`);
        demandGroups(sorted.groups, groups, what);
      }
    },
  },
  'group-errors': {
    sentence:
      'query_aggregates without query_groups is refused with invalid_groups, and an attribute ' +
      'that is neither a group attribute nor an aggregate with unknown_attribute.',
    check: async (subject) => {
      const [attribute] = await groupable(subject);
      const query_aggregates = [{ name: 'records', op: 'count' }];
      await subject.refuses({ query_aggregates }, 'invalid_groups', '/query_aggregates');
      const others = subject.selection.attributes.filter((name) => name !== attribute);
      for (const other of [...others.slice(0, 1), 'no such attribute']) {
        const members = { query_groups: [attribute], query_attributes: [attribute, other] };
        await subject.refuses(members, 'unknown_attribute', '/query_attributes/1');
      }
    },
  },
});
