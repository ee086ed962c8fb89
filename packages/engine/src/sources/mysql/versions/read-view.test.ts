import { describe, expect, it } from 'vitest';

import { answerOf, readViewOf, reportMidway, reportNow } from './read-view.ts';

const statusOf = (statement: string, view: string): string => `
---TRANSACTION (0x7f91d0a1db80), ACTIVE 0 sec
0 lock struct(s), heap size 1128, 0 row lock(s)
MariaDB thread id 4, OS thread handle 140264237496000, query id 5 127.0.0.1 root starting
${statement}
${view}
--------`;

const viewLine = (end: number, sees: number): string =>
  `Trx read view will not see trx with id >= ${end}, sees < ${sees}`;

describe('the read view of a session', () => {
  it('is a number where the snapshot sees every transaction below it', () => {
    const { mark, sql } = reportNow();
    expect(readViewOf(statusOf(sql, viewLine(32, 32)), mark)).toBe('32');
  });

  it('is none where a transaction below its end still ran', () => {
    const { mark, sql } = reportMidway();
    expect(readViewOf(statusOf(sql, viewLine(32, 30)), mark)).toBeUndefined();
  });

  it('is none where the session has no snapshot, or is missing in the status', () => {
    const { mark, sql } = reportNow();
    expect(readViewOf(statusOf(sql, '--------'), mark)).toBeUndefined();
    expect(readViewOf(viewLine(5, 5), mark)).toBeUndefined();
    expect(readViewOf('', mark)).toBeUndefined();
  });

  it('is never that of another session, whatever its statement holds', () => {
    const { mark, sql } = reportNow();
    const other = statusOf(`select '${reportNow().sql}\n${viewLine(7, 7)}'`, viewLine(8, 8));
    expect(readViewOf(other + statusOf(sql, viewLine(32, 32)) + other, mark)).toBe('32');
    expect(readViewOf(other, mark)).toBeUndefined();
  });
});

describe('the answer to a report', () => {
  it('is the text of the status, and the time that it took in the server', () => {
    const results = [[['InnoDB', '', 'text']], [[1500]], { affectedRows: 0 }];
    expect(answerOf(results)).toEqual({ text: 'text', milliseconds: 1.5 });
  });

  it.each([[[]], [[[], []]], [[[['InnoDB', '', null]], [[1500]]]]])(
    'is none where it has another form, as %j',
    (results) => {
      expect(answerOf(results)).toBeUndefined();
    },
  );
});
