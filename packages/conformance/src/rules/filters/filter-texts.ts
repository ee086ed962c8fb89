import { demand, demandEqual, NotTried } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { occasion } from '../../subject/occasion.ts';
import type { Subject } from '../../subject/subject.ts';

/** A text attribute and a text of two characters or more that a record has. */
async function textOccasion(subject: Subject): Promise<{ name: string; text: string }> {
  for (const { name } of subject.attributes(
    ({ type, operators }) => type === 'text' && operators.includes('contains'),
  )) {
    const text = (await subject.values(name)).find(
      (value) => typeof value === 'string' && /^[\x20-\x7e]{2,60}$/.test(value),
    );
    if (typeof text === 'string') return { name, text };
  }
  throw new NotTried('no text attribute holds a plain text of two characters');
}

/** An attribute and an element of one of its arrays. */
async function arrayOccasion(subject: Subject): Promise<{ name: string; value: unknown }> {
  for (const { name } of subject.attributes(({ operators }) => operators.includes('has_any'))) {
    const items = (await subject.values(name)).flatMap((value) =>
      Array.isArray(value) ? value.flat(Infinity) : [],
    );
    const value: unknown = items.find((item) => typeof item === 'string' || item === true);
    if (value !== undefined) return { name, value };
  }
  throw new NotTried('no attribute holds an array of texts');
}

type Passes = (text: string) => boolean;

/** Every record that a search keeps must pass. */
async function checkSearch(
  subject: Subject,
  leaf: { readonly attribute: string; readonly op: string; readonly value: string },
  passes: Passes,
): Promise<number> {
  const { result } = await subject.first(100, { query_filter: leaf });
  const wrong = result.find((record) => !passes(String(record[leaf.attribute])));
  const what = JSON.stringify(leaf);
  demand(wrong === undefined, `${what}: got ${JSON.stringify(wrong?.[leaf.attribute])}`);
  return result.length;
}

/** Searches that must find the record that they were made from. */
async function checkSearches(
  subject: Subject,
  attribute: string,
  searches: readonly (readonly [op: string, value: string, passes: Passes])[],
): Promise<void> {
  for (const [op, value, passes] of searches) {
    const found = await checkSearch(subject, { attribute, op, value }, passes);
    demand(found > 0, `${attribute} ${op} ${JSON.stringify(value)}: expected a record; got none`);
  }
}

/** A filter must keep some records, and together with its opposite all but those with NULL. */
async function checkParts(subject: Subject, filter: object, notNull: bigint): Promise<void> {
  const [kept, others] = [await subject.count(filter), await subject.count({ not: filter })];
  const what = JSON.stringify(filter);
  demand(kept > 0n, `${what}: expected a record; got none`);
  demandEqual(kept + others, notNull, `${what}: ${kept} records and ${others} others`);
}

const upper = (text: string): string => text.toUpperCase();

export const FILTER_TEXT_RULES = rulesOf('filters-and-sorting', {
  'filter-texts': {
    sentence:
      'contains, starts_with and ends_with keep what holds, begins with or ends with the ' +
      'text, letter case included.',
    check: async (subject) => {
      const { name, text } = await textOccasion(subject);
      const [start, end] = [text.slice(0, 2), text.slice(-2)];
      await checkSearches(subject, name, [
        ['contains', start, (found) => found.includes(start)],
        ['starts_with', start, (found) => found.startsWith(start)],
        ['ends_with', end, (found) => found.endsWith(end)],
      ]);
    },
  },
  'filter-case': {
    sentence: 'ieq, icontains, istarts_with and iends_with take any letter case.',
    check: async (subject) => {
      const { name, text } = await textOccasion(subject);
      const swapped = text.replace(/./g, (letter) =>
        letter === upper(letter) ? letter.toLowerCase() : upper(letter),
      );
      const [start, end] = [swapped.slice(0, 2), swapped.slice(-2)];
      await checkSearches(subject, name, [
        ['ieq', swapped, (found) => upper(found) === upper(swapped)],
        ['icontains', start, (found) => upper(found).includes(upper(start))],
        ['istarts_with', start, (found) => upper(found).startsWith(upper(start))],
        ['iends_with', end, (found) => upper(found).endsWith(upper(end))],
      ]);
    },
  },
  'filter-days': {
    sentence: 'on keeps what is within a day, of UTC unless time_zone names another zone.',
    check: async (subject) => {
      const days = new Set(['date', 'timestamp', 'timestamp_tz']);
      const { name, value, nulls, total } = await occasion(subject, days);
      const day = String(value).slice(0, 10);
      const zone = String(value).endsWith('Z') ? { time_zone: 'Etc/UTC' } : {};
      await checkParts(subject, { attribute: name, op: 'on', value: day, ...zone }, total - nulls);
    },
  },
  'filter-arrays': {
    sentence: 'has, has_any and has_all keep the arrays that hold the value, one, or all of them.',
    check: async (subject) => {
      const { name: attribute, value } = await arrayOccasion(subject);
      const values = await subject.count({ attribute, op: 'is_null', value: false });
      for (const filter of [
        { attribute, op: 'has', value },
        { attribute, op: 'has_any', value: [value, value] },
        { attribute, op: 'has_all', value: [value, value] },
      ])
        await checkParts(subject, filter, values);
    },
  },
  'filter-wildcards': {
    sentence: '%, _ and \\ in a value are ordinary characters.',
    check: async (subject) => {
      const { name: attribute } = await textOccasion(subject);
      for (const value of ['%', '_', '\\', '%_'])
        await checkSearch(subject, { attribute, op: 'contains', value }, (text) =>
          text.includes(value),
        );
    },
  },
});
