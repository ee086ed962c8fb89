import { QueryFailedError } from '../../errors.ts';
import type { Checkpoints } from '../../sources/followed.ts';
import { NO_ROWS, NOT_IN_LIST, offsetOfPage } from '../../sources/reads/record.ts';
import type { AskedRecord, ReadCall, Reads, RecordRows, Snapshot } from '../../sources/source.ts';
import { recordShape } from '../../sources/statement-shape.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import type { RecordStatements } from '../../sql/record-statements.ts';
import type { RecordQuestion } from '../reader.ts';
import { placeOf } from './record-place.ts';

/** Values may become NULL, or cease to be, between attempts. */
const MAX_ATTEMPTS = 5;

export interface RecordRead {
  readonly question: RecordQuestion;
  readonly statements: RecordStatements;
  /** In the snapshot's state. */
  readonly checkpoints: Checkpoints | undefined;
  readonly total: bigint;
  readonly locate: (range: PageRange) => RowsStatement | undefined;
}

export async function readRecord(
  snapshot: Snapshot,
  { question: { record, size }, statements, checkpoints, total, locate }: RecordRead,
): Promise<RecordRows> {
  const started = performance.now();
  const rank = await placeOf(snapshot, { statements, record, checkpoints });
  if (rank === undefined) return NOT_IN_LIST;
  const offset = offsetOfPage(rank, size);
  const countedAt = performance.now();
  const path = locate({ size, offset });
  const rows = path === undefined ? NO_ROWS : await snapshot.rows(path);
  const milliseconds = { count: countedAt - started, rows: performance.now() - countedAt };
  return { ...rows, total, offset, milliseconds };
}

export interface CountedRecord extends Pick<AskedRecord, 'total'> {
  readonly question: RecordQuestion;
  readonly statements: RecordStatements;
}

export async function readByCount(
  source: Reads<'record'>,
  { question, statements, total }: CountedRecord,
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
