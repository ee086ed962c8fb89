import { API_PATHS, EXPORT_FORMATS, NO_EXPORTS } from '@proj/contract';

import { demand, demandEqual, demandError, demandProblem, given, NotTried } from '../demand.ts';
import { rulesOf } from '../rule.ts';
import type { JsonObject } from '../subject/json.ts';
import type { Reply } from '../subject/send.ts';
import type { Subject } from '../subject/subject.ts';

/** A list of one record, so that no server has to export a large one. */
async function listOfOne(subject: Subject): Promise<JsonObject> {
  const { key } = subject.entry;
  const [record] = await subject.sample();
  const first = given(record, 'the model has no records');
  const filters = key.map((attribute) => {
    const value = given(first[attribute], 'the token does not see the whole key');
    return { attribute, op: 'eq', value };
  });
  return { query_attributes: subject.selection.attributes, query_filter: { and: filters } };
}

async function exportOf(subject: Subject, more: JsonObject, accept: string): Promise<Reply> {
  const body = JSON.stringify(subject.body({ page: undefined, ...more }));
  const reply = await subject.send({ path: API_PATHS.export, body, headers: { accept } });
  if (NO_EXPORTS.has(reply.status)) throw new NotTried('the server has no exports');
  return reply;
}

/** The export in a form, which the reply has to name. */
async function exportAs(subject: Subject, more: JsonObject, type: string): Promise<Reply> {
  const reply = await exportOf(subject, more, type);
  demandEqual(reply.status, 200, 'the status');
  demandEqual(reply.headers.get('content-type')?.split(';')[0], type, 'the content type');
  return reply;
}

/** Whole lists in one reply. */
export const EXPORT_RULES = rulesOf('exports', {
  'export-records': {
    sentence:
      'An export as JSON lines has the records of the list as pages have them, and Export-Total ' +
      'is how many they are.',
    check: async (subject) => {
      const list = await listOfOne(subject);
      const reply = await exportAs(subject, list, EXPORT_FORMATS.jsonl.type);
      const { result } = await subject.first(100, list);
      const lines = reply.text.split('\n');
      demandEqual(lines.pop(), '', 'what follows the last line');
      const records = lines.map((line) => JSON.stringify(JSON.parse(line)));
      const { attributes } = subject.selection;
      const wanted = result.map((record) =>
        JSON.stringify(Object.fromEntries(attributes.map((name) => [name, record[name]]))),
      );
      demandEqual(records, wanted, 'the records');
      demandEqual(reply.headers.get('export-total'), String(result.length), 'Export-Total');
    },
  },
  'export-csv': {
    sentence: 'An export as CSV begins with a line of the attributes, and its lines end in CR LF.',
    check: async (subject) => {
      const list = { ...(await listOfOne(subject)), query_attributes: subject.entry.key };
      const reply = await exportAs(subject, list, EXPORT_FORMATS.csv.type);
      const total = Number(reply.headers.get('export-total'));
      const lines = reply.text.split('\r\n');
      const [head = ''] = lines;
      const names = subject.entry.key.map((name) =>
        /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name,
      );
      demandEqual(head, names.join(','), 'the first line');
      demand(
        lines.length >= total + 2 && lines.at(-1) === '',
        `expected ${total} records behind it; got ${lines.length - 2} lines`,
      );
    },
  },
  'export-types': {
    sentence: 'An export in a form that there is not is refused with 406.',
    check: async (subject) => {
      const reply = await exportOf(subject, await listOfOne(subject), 'text/html');
      demandProblem(reply, 'an export as text/html', 'not_acceptable');
    },
  },
  'export-members': {
    sentence: 'An export has no page and asks for no total; either is an unknown member.',
    check: async (subject) => {
      const list = await listOfOne(subject);
      const members = { page: { page: 1, size: 1 }, query_total: 'none' };
      for (const [name, value] of Object.entries(members)) {
        const wrong = { ...list, [name]: value };
        const reply = await exportOf(subject, wrong, EXPORT_FORMATS.jsonl.type);
        demandError(reply, `an export with ${name}`, {
          code: 'unknown_member',
          pointer: `/${name}`,
        });
      }
    },
  },
});
