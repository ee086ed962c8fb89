import type { Statement } from '@proj/engine/database';
import { describe, expect, it } from 'vitest';

import { collectRecords } from './running-work.ts';
import type { Connection } from './connection.ts';

const STATEMENT = { sql: 'select', parameters: [] };
const RECORDS = ['{"id":1}', '{"id":2}', '{"id":3}'];

/** What is made of the records that a connection gives. */
function collected(
  terms: Partial<NonNullable<Statement['collects']>>,
  records: readonly (string | null)[] = RECORDS,
) {
  const rows: Connection['rows'] = async (_statement, take) => {
    for (const record of records) await take([record]);
    return records.length;
  };
  return collectRecords({ rows }, STATEMENT, { reversed: false, maxBytes: 1000, ...terms });
}

describe('records that come in rows of their own', () => {
  it('are one text, and their number', async () => {
    expect(await collected({})).toEqual(['[{"id":1},{"id":2},{"id":3}]', '3', null]);
    expect(await collected({}, [])).toEqual(['[]', '0', null]);
  });

  it('are turned around where the statement reads from the end of the list', async () => {
    const [text] = await collected({ reversed: true });
    expect(text).toBe('[{"id":3},{"id":2},{"id":1}]');
  });

  it('are no text where it would be too long, by bytes and not by characters', async () => {
    const [text = ''] = await collected({}, ['{"name":"é"}']);
    const bytes = Buffer.byteLength(text ?? '');
    expect((await collected({ maxBytes: bytes }, ['{"name":"é"}']))[0]).toBe(text);
    expect(await collected({ maxBytes: bytes - 1 }, ['{"name":"é"}'])).toEqual([null, '1', null]);
  });
});
