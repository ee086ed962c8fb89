import type { ProblemCode } from '@proj/contract';

import { demand, demandEqual, given } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import type { JsonObject } from '../../subject/json.ts';
import { sortBy, tiedAttribute } from '../../subject/occasion.ts';
import type { Subject } from '../../subject/subject.ts';

const SIZE = 3;

/** So many records of the sample are asked for, at even distances. */
const RECORDS = 5;

function keyValues(key: readonly string[], record: JsonObject): JsonObject {
  return Object.fromEntries(key.map((name) => [name, record[name]]));
}

/** Some records of the sample. */
async function someRecords(subject: Subject): Promise<readonly JsonObject[]> {
  const sample = await subject.sample();
  const step = Math.max(1, Math.floor(sample.length / RECORDS));
  return sample.filter((_record, index) => index % step === 0);
}

async function checkPages(subject: Subject, more: JsonObject): Promise<void> {
  const key = subject.visibleKey();
  for (const record of await someRecords(subject)) {
    const containing = keyValues(key, record);
    const found = await subject.first(SIZE, { ...more, page: { containing, size: SIZE } });
    const what = `the page that holds ${JSON.stringify(containing)}`;
    const number = Number(found.page['page']);
    demand(Number.isSafeInteger(number) && number > 0, `${what}: expected its number in page.page`);
    const keys = found.result.map((one) => JSON.stringify(keyValues(key, one)));
    const has = keys.includes(JSON.stringify(containing));
    demand(has, `${what}: expected the record among the others; got page ${number}`);
    const same = await subject.read({ page: number, size: SIZE, more });
    demandEqual(found.result, same.result, `${what}: records of page ${number}`);
    demandEqual(found.page, same.page, `${what}: page`);
  }
}

/** A record, by its key. */
async function recordOccasion(subject: Subject): Promise<{ key: string; containing: JsonObject }> {
  const names = subject.visibleKey();
  const record = given((await subject.sample())[0], 'the model has no records');
  return { key: names[0] ?? '', containing: keyValues(names, record) };
}

/** What a reply is to a query that names its page by a record. */
export const CONTAINING_RULES = rulesOf('the-page-that-holds-a-record', {
  'containing-page': {
    sentence:
      'The reply to page.containing is that of the page which holds the record, its number in ' +
      'page.page, in whatever order.',
    check: async (subject) => {
      const { name } = await tiedAttribute(subject);
      for (const more of [{}, sortBy(name), sortBy(name, { direction: 'desc' })])
        await checkPages(subject, more);
    },
  },
  'containing-not-in-list': {
    sentence:
      'A record that the filter leaves out, and one that does not exist, are refused alike, with ' +
      'record_not_in_list.',
    check: async (subject) => {
      const { key: attribute, containing } = await recordOccasion(subject);
      const others = { not: { attribute, op: 'eq', value: containing[attribute] } };
      const nothing = { and: [others, { not: others }] };
      const page = { containing, size: SIZE };
      for (const query_filter of [others, nothing])
        await subject.refuses({ page, query_filter }, 'record_not_in_list', '/page/containing');
    },
  },
  'containing-errors': {
    sentence:
      'page.containing has exactly the attributes of the key, has no page beside it, and its ' +
      'total is counted.',
    check: async (subject) => {
      const { key, containing } = await recordOccasion(subject);
      const { [key]: _part, ...others } = containing;
      const at = '/page/containing/';
      const place = `${at}${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const wrong: readonly (readonly [page: JsonObject, ProblemCode, pointer: string])[] = [
        [{ containing: others, size: SIZE }, 'missing_member', place],
        [{ containing: { ...containing, [key]: null }, size: SIZE }, 'invalid_value', place],
        [{ containing: { ...containing, '': 1 }, size: SIZE }, 'unknown_member', at],
        [{ containing, page: 1, size: SIZE }, 'unknown_member', '/page/page'],
        [{ containing }, 'missing_member', '/page/size'],
      ];
      for (const [page, code, pointer] of wrong) await subject.refuses({ page }, code, pointer);
      const uncounted = { page: { containing, size: SIZE }, query_total: 'none' };
      await subject.refuses(uncounted, 'invalid_query_total', '/query_total');
    },
  },
});
