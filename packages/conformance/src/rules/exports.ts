import { API_PATHS, EXPORT_FORMATS, NO_EXPORTS } from '@proj/contract';

import { demand, demandEqual, given, NotTried } from '../demand.ts';
import { demandProblem } from '../demand-problem.ts';
import type { JsonObject } from '../subject/json-object.ts';
import type { Rule } from '../rule.ts';
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
  const { page: _page, ...body } = subject.body(more);
  const reply = await subject.send({
    path: API_PATHS.export,
    body: JSON.stringify({ ...body, ...(more['page'] !== undefined && { page: more['page'] }) }),
    headers: { accept },
  });
  if (NO_EXPORTS.has(reply.status)) throw new NotTried('the server has no exports');
  return reply;
}

function demandExport({ status, headers }: Reply, type: string): void {
  demandEqual(status, 200, 'the status');
  const got = headers.get('content-type')?.split(';')[0];
  demandEqual(got, type, 'the content type');
}

/** Whole lists in one reply. */
export const EXPORT_RULES: readonly Rule[] = [
  {
    id: 'export-records',
    sentence:
      'An export as JSON lines has the records of the list as pages have them, and Export-Total ' +
      'is how many they are.',
    section: 'exports',
    check: async (subject) => {
      const list = await listOfOne(subject);
      const reply = await exportOf(subject, list, EXPORT_FORMATS.jsonl.type);
      demandExport(reply, EXPORT_FORMATS.jsonl.type);
      const { result } = await subject.read({
        page: 1,
        size: Math.min(100, subject.maximum),
        more: list,
      });
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
  {
    id: 'export-csv',
    sentence: 'An export as CSV begins with a line of the attributes, and its lines end in CR LF.',
    section: 'exports',
    check: async (subject) => {
      const list = { ...(await listOfOne(subject)), query_attributes: subject.entry.key };
      const reply = await exportOf(subject, list, EXPORT_FORMATS.csv.type);
      demandExport(reply, EXPORT_FORMATS.csv.type);
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
  {
    id: 'export-types',
    sentence: 'An export in a form that there is not is refused with 406.',
    section: 'exports',
    check: async (subject) => {
      const list = await listOfOne(subject);
      demandProblem(await exportOf(subject, list, 'text/html'), {
        of: 'an export as text/html',
        status: 406,
        code: 'not_acceptable',
      });
    },
  },
  {
    id: 'export-members',
    sentence: 'An export has no page and asks for no total; either is an unknown member.',
    section: 'exports',
    check: async (subject) => {
      const list = await listOfOne(subject);
      const members = { page: { page: 1, size: 1 }, query_total: 'none' };
      for (const [name, value] of Object.entries(members)) {
        const reply = await exportOf(
          subject,
          { ...list, [name]: value },
          EXPORT_FORMATS.jsonl.type,
        );
        const code = 'unknown_member';
        demandProblem(reply, { of: `an export with ${name}`, code, pointer: `/${name}` });
      }
    },
  },
];
