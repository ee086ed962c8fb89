import { NotTried, demand, demandEqual, given } from '../../demand.ts';
import { demandProblem } from '../../demand-problem.ts';
import type { JsonObject } from '../../subject/json-object.ts';
import type { Rule } from '../../rule.ts';
import { sortBy, tiedAttribute } from '../../subject/sorting.ts';
import type { Subject } from '../../subject/subject.ts';

const SIZE = 3;

/** So many records of the sample are asked for, at even distances. */
const RECORDS = 5;

/** The key of the model, of which each part is a requested attribute. */
function keyOf({ entry, selection }: Subject): readonly string[] {
  const { key } = entry;
  if (key.length === 0 || !key.every((name) => selection.attributes.includes(name)))
    throw new NotTried('no key is among the attributes');
  return key;
}

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
  const key = keyOf(subject);
  for (const record of await someRecords(subject)) {
    const containing = keyValues(key, record);
    const page = { containing, size: SIZE };
    const found = await subject.read({ page: 1, size: SIZE, more: { ...more, page } });
    const what = `the page that holds ${JSON.stringify(containing)}`;
    const number = Number(found.page['page']);
    demand(Number.isSafeInteger(number) && number > 0, `${what}: expected its number in page.page`);
    const has = found.result.some(
      (one) => JSON.stringify(keyValues(key, one)) === JSON.stringify(containing),
    );
    demand(has, `${what}: expected the record among the others; got page ${number}`);
    const same = await subject.read({ page: number, size: SIZE, more });
    demandEqual(found.result, same.result, `${what}: records of page ${number}`);
    demandEqual(found.page, same.page, `${what}: page`);
  }
}

/** What a reply is to a query that names its page by a record. */
export const CONTAINING_RULES: readonly Rule[] = [
  {
    id: 'containing-page',
    sentence:
      'The reply to page.containing is that of the page which holds the record, its number in ' +
      'page.page, in whatever order.',
    section: 'the-page-that-holds-a-record',
    check: async (subject) => {
      const { name } = await tiedAttribute(subject);
      await checkPages(subject, {});
      await checkPages(subject, sortBy(name));
      await checkPages(subject, sortBy(name, { direction: 'desc' }));
    },
  },
  {
    id: 'containing-not-in-list',
    sentence:
      'A record that the filter leaves out, and one that does not exist, are refused alike, with ' +
      'record_not_in_list.',
    section: 'the-page-that-holds-a-record',
    check: async (subject) => {
      const key = keyOf(subject);
      const record = given((await subject.sample())[0], 'the model has no records');
      const containing = keyValues(key, record);
      const [attribute] = key;
      const query_filter = { not: { attribute, op: 'eq', value: record[String(attribute)] } };
      const nothing = { and: [query_filter, { not: query_filter }] };
      const page = { containing, size: SIZE };
      for (const filter of [query_filter, nothing]) {
        const reply = await subject.query(subject.body({ page, query_filter: filter }));
        const of = `${JSON.stringify(containing)} outside of the list`;
        demandProblem(reply, { of, code: 'record_not_in_list', pointer: '/page/containing' });
      }
    },
  },
  {
    id: 'containing-errors',
    sentence:
      'page.containing has exactly the attributes of the key, has no page beside it, and its ' +
      'total is counted.',
    section: 'the-page-that-holds-a-record',
    check: async (subject) => {
      const key = keyOf(subject);
      const record = given((await subject.sample())[0], 'the model has no records');
      const containing = keyValues(key, record);
      const [first = ''] = key;
      const { [first]: _part, ...others } = containing;
      const place = `/page/containing/${first.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const wrong: readonly (readonly [page: JsonObject, code: string, pointer: string])[] = [
        [{ containing: others, size: SIZE }, 'missing_member', place],
        [{ containing: { ...containing, [first]: null }, size: SIZE }, 'invalid_value', place],
        [
          { containing: { ...containing, '': 1 }, size: SIZE },
          'unknown_member',
          '/page/containing/',
        ],
        [{ containing, page: 1, size: SIZE }, 'unknown_member', '/page/page'],
        [{ containing }, 'missing_member', '/page/size'],
      ];
      for (const [page, code, pointer] of wrong) {
        const reply = await subject.query(subject.body({ page }));
        demandProblem(reply, { of: JSON.stringify({ page }), code, pointer });
      }
      const page = { containing, size: SIZE };
      const reply = await subject.query(subject.body({ page, query_total: 'none' }));
      const of = '"query_total": "none" beside page.containing';
      demandProblem(reply, { of, code: 'invalid_query_total', pointer: '/query_total' });
    },
  },
];
