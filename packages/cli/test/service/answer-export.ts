import { csvWriter, readExportRequest } from '@proj/contract';

import { cellText, jsonRecord } from '../../src/output/records.ts';
import { type Answer, problem, refused } from './answer.ts';
import { answerQuery, type QuerySlips } from './answer-query.ts';
import type { CityRecord, Model } from './cities.ts';

const MOST = 2 ** 31;

/** Answers the body of an export with the whole list, as one large page has it. */
export function answerExport(
  body: unknown,
  { model, accept, slips }: { model: Model; accept: string; slips: QuerySlips },
): Answer {
  const type = ['application/jsonl', 'text/csv'].find((known) => accept.startsWith(known));
  if (type === undefined) return problem('not_acceptable');
  const reading = readExportRequest(body);
  if (!reading.ok) return refused(reading.errors);
  const { export_csv: csv = {}, ...list } = reading.request;
  const whole = { ...model, entry: { ...model.entry, max_page_size: MOST } };
  const answered = answerQuery({ ...list, page: { page: 1, size: MOST } }, whole, slips);
  if (answered.status !== 200) return answered;
  const { result } = answered.body as { readonly result: readonly CityRecord[] };
  const names = list.query_attributes;
  const { head, line } = csvWriter(
    names.map((name) => ({ name, type: 'text' })),
    {
      ...(csv.null !== undefined && { null: csv.null }),
      ...(csv.guard_formulas !== undefined && { guardFormulas: csv.guard_formulas }),
    },
  );
  const isCsv = type === 'text/csv';
  const lines = result.map((record) =>
    isCsv ? line(names.map((name) => cellText(record[name]))) : `${jsonRecord(record, names)}\n`,
  );
  return {
    status: 200,
    headers: { 'content-type': type, 'export-total': String(result.length) },
    body: (isCsv ? head : '') + lines.join(''),
  };
}
