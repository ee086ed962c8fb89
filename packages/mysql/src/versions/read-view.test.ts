import { describe, expect, it } from 'vitest';

import { answerOf, VIEW_FORMS } from './read-view.ts';

const { midway: reportMidway, now: reportNow, viewOf: readViewOf } = VIEW_FORMS.mariadb;
const { viewOf: transactionsOf } = VIEW_FORMS.mysql;

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

/** A status whose part of transactions has these lines. */
const statusWith = (...lines: readonly string[]): string =>
  ['------------', 'TRANSACTIONS', '------------', ...lines, '--------', 'FILE I/O'].join('\n');

describe('what a snapshot of MySQL sees', () => {
  const COUNTER = 'Trx id counter 1566';
  it('is every transaction below the counter but those that have written and still run', () => {
    const lines = [
      'LIST OF TRANSACTIONS FOR EACH SESSION:',
      '---TRANSACTION 375300727385288, not started',
      '0 lock struct(s), heap size 1128, 0 row lock(s)',
      '---TRANSACTION 1565, ACTIVE (PREPARED) 0 sec',
      '---TRANSACTION 1561, ACTIVE 7 sec inserting',
      '---TRANSACTION 1560, COMMITTED IN MEMORY',
    ];
    expect(transactionsOf(statusWith(COUNTER, ...lines), '')).toBe('1566,1565,1561,1560');
    expect(transactionsOf(statusWith(COUNTER), '')).toBe('1566');
  });

  it('is unknown where the status lacks the counter, or a statement in it looks like one', () => {
    expect(transactionsOf(statusWith(), '')).toBeUndefined();
    expect(transactionsOf(`select '\n${COUNTER}\n'\n${statusWith(COUNTER)}`, '')).toBeUndefined();
    expect(transactionsOf(statusWith(COUNTER, `select '\n${COUNTER}\n'`), '')).toBeUndefined();
  });
});

describe('the answer to a report', () => {
  it('is the text of the status, and the time that it took in the server', () => {
    const results = [[['InnoDB', '', 'text']], [[1500]], { affectedRows: 0 }];
    expect(answerOf(results)).toEqual({ text: 'text', milliseconds: 1.5 });
    expect(answerOf([['InnoDB', '', 'text']])).toEqual({ text: 'text', milliseconds: 0 });
  });

  it.each([[[]], [[[], []]], [[[['InnoDB', '', null]], [[1500]]]]])(
    'is none where it has another form, as %j',
    (results) => {
      expect(answerOf(results)).toBeUndefined();
    },
  );
});
