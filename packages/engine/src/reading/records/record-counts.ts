import { QueryFailedError } from '../../errors.ts';
import type { AskedRecord, ReadCall, Reads, RecordRows } from '../../sources/source.ts';
import { recordShape } from '../../sources/statement-shape.ts';
import type { RecordStatements } from '../../sql/record-statements.ts';
import type { RecordQuestion } from '../reader.ts';

/** How often values may become NULL, or no longer be, before the page of their record is read. */
const MAX_ATTEMPTS = 5;

/** A question, and what its record is found by. */
export interface AskedInList extends Pick<AskedRecord, 'total'> {
  readonly question: RecordQuestion;
  readonly statements: RecordStatements;
}

/** Reads the page of a record, whose place is found by a count of those before it. */
export async function readByCount(
  source: Reads<'record'>,
  { question, statements, total }: AskedInList,
  call: ReadCall,
): Promise<RecordRows> {
  const { query, record, size } = question;
  const list = query.statements;
  const find = statements.find(record);
  const shaped = { ...call, shape: recordShape(list, false) };
  let nulls = statements.usualNulls;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = { nulls, template: statements.countBefore({ record: nulls }) };
    const asked = { query: list, size, find, before, total };
    const { otherNulls, ...page } = await source.read({ kind: 'record', asked }, shaped);
    if (otherNulls === undefined) return page;
    statements.usualNulls = nulls = otherNulls;
  }
  const message = 'A value of the record became NULL faster than its page could be read.';
  throw new QueryFailedError('database_unavailable', message);
}
