import { type Rule } from '../../rule.ts';
import { demand, NotTried } from '../../demand.ts';
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

interface Search {
  readonly name: string;
  readonly op: string;
  readonly value: string;
}

/**
 * Every record that a search keeps must pass; the one that it was made from must be among them.
 */
async function checkSearch(
  subject: Subject,
  { name, op, value }: Search,
  passes: (text: string) => boolean,
): Promise<void> {
  const size = Math.min(100, subject.maximum);
  const { result } = await subject.read({
    page: 1,
    size,
    more: { query_filter: { attribute: name, op, value } },
  });
  demand(result.length > 0, `${name} ${op} ${JSON.stringify(value)}: expected a record; got none`);
  const wrong = result.find((record) => !passes(String(record[name])));
  demand(
    wrong === undefined,
    `${name} ${op} ${JSON.stringify(value)}: got ${JSON.stringify(wrong?.[name])}`,
  );
}

const upper = (text: string): string => text.toUpperCase();

export const FILTER_TEXT_RULES: readonly Rule[] = [
  {
    id: 'filter-texts',
    sentence:
      'contains, starts_with and ends_with keep what holds, begins with or ends with the ' +
      'text, letter case included.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, text } = await textOccasion(subject);
      const [start, end] = [text.slice(0, 2), text.slice(-2)];
      await checkSearch(subject, { name, op: 'contains', value: start }, (found) =>
        found.includes(start),
      );
      await checkSearch(subject, { name, op: 'starts_with', value: start }, (found) =>
        found.startsWith(start),
      );
      await checkSearch(subject, { name, op: 'ends_with', value: end }, (found) =>
        found.endsWith(end),
      );
    },
  },
  {
    id: 'filter-case',
    sentence: 'ieq, icontains, istarts_with and iends_with take any letter case.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, text } = await textOccasion(subject);
      const swapped = text.replace(/./g, (letter) =>
        letter === upper(letter) ? letter.toLowerCase() : upper(letter),
      );
      const [start, end] = [swapped.slice(0, 2), swapped.slice(-2)];
      await checkSearch(
        subject,
        { name, op: 'ieq', value: swapped },
        (found) => upper(found) === upper(swapped),
      );
      await checkSearch(subject, { name, op: 'icontains', value: start }, (found) =>
        upper(found).includes(upper(start)),
      );
      await checkSearch(subject, { name, op: 'istarts_with', value: start }, (found) =>
        upper(found).startsWith(upper(start)),
      );
      await checkSearch(subject, { name, op: 'iends_with', value: end }, (found) =>
        upper(found).endsWith(upper(end)),
      );
    },
  },
  {
    id: 'filter-days',
    sentence: 'on keeps what is within a day, of UTC unless time_zone names another zone.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const days = new Set(['date', 'timestamp', 'timestamp_tz']);
      const { name, value, nulls, total } = await occasion(subject, days);
      const day = String(value).slice(0, 10);
      const zone = String(value).endsWith('Z') ? { time_zone: 'Etc/UTC' } : {};
      const on = { attribute: name, op: 'on', value: day, ...zone };
      const [within, others] = [await subject.count(on), await subject.count({ not: on })];
      demand(within > 0n, `${name} on ${day}: expected a record; got none`);
      demand(
        within + others + nulls === total,
        `${name} on ${day}: ${within} records, ${others} others and ${nulls} with NULL of ${total}`,
      );
    },
  },
  {
    id: 'filter-arrays',
    sentence: 'has, has_any and has_all keep the arrays that hold the value, one, or all of them.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value } = await arrayOccasion(subject);
      const total = await subject.count();
      const nulls = await subject.count({ attribute: name, op: 'is_null' });
      for (const [op, operand] of [
        ['has', value],
        ['has_any', [value, value]],
        ['has_all', [value, value]],
      ] as const) {
        const filter = { attribute: name, op, value: operand };
        const [held, others] = [await subject.count(filter), await subject.count({ not: filter })];
        const what = `${name} ${op} ${JSON.stringify(operand)}`;
        demand(held > 0n, `${what}: expected a record; got none`);
        demand(
          held + others + nulls === total,
          `${what}: ${held} records, ${others} others and ${nulls} with NULL of ${total}`,
        );
      }
    },
  },
  {
    id: 'filter-wildcards',
    sentence: '%, _ and \\ in a value are ordinary characters.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name } = await textOccasion(subject);
      for (const value of ['%', '_', '\\', '%_']) {
        const more = { query_filter: { attribute: name, op: 'contains', value } };
        const { result } = await subject.read({
          page: 1,
          size: Math.min(100, subject.maximum),
          more,
        });
        const wrong = result.find((record) => !String(record[name]).includes(value));
        demand(
          wrong === undefined,
          `${name} contains ${JSON.stringify(value)}: got ${JSON.stringify(wrong?.[name])}`,
        );
      }
    },
  },
];
