import { randomUUID } from 'node:crypto';

export interface ViewReport {
  readonly sql: string;
  readonly mark: string;
}

export interface ViewAnswer {
  readonly text: string;
  /** Server time of the status, in milliseconds; 0 where unknown. */
  readonly milliseconds: number;
}

export interface ViewForm {
  /** Otherwise it reports the present, valid for snapshots taken between two equal reports. */
  readonly reportsSnapshot: boolean;
  readonly midway: () => ViewReport;
  readonly now: () => ViewReport;
  /** Names the view; undefined where the status does not show all of it. */
  readonly viewOf: (text: string, mark: string) => string | undefined;
}

export const VIEW_FORMS: Readonly<Record<'mariadb' | 'mysql', ViewForm>> = {
  // The first statement took the view after locking its tables' definitions.
  mariadb: {
    reportsSnapshot: true,
    midway: () => report(),
    now: () => report(['start transaction with consistent snapshot'], ['commit']),
    viewOf: readViewOf,
  },
  mysql: {
    reportsSnapshot: false,
    midway: () => STATUS,
    now: () => STATUS,
    viewOf: transactionsOf,
  },
};

const STATUS: ViewReport = { sql: 'show engine innodb status', mark: '' };

/** The status prints statements, with any text, so ours is marked. The server takes the time. */
function report(begin: readonly string[] = [], end: readonly string[] = []): ViewReport {
  const mark = randomUUID();
  const timed = [
    'declare began datetime(6) default now(6)',
    ...begin,
    `show engine /* ${mark} */ innodb status`,
    'select timestampdiff(microsecond, began, now(6))',
    ...end,
  ];
  // In one line: the view is on the line after it.
  const sql = `begin not atomic ${timed.join('; ')}; end`;
  return { mark, sql };
}

export function answerOf(results: readonly unknown[]): ViewAnswer | undefined {
  const [, , text, microseconds = 0] = (results as unknown[][][]).flat(2);
  const milliseconds = Number(microseconds) / 1000;
  return typeof text === 'string' ? { text, milliseconds } : undefined;
}

/** Printed below the statement of its session. */
const VIEW = /^Trx read view will not see trx with id >= (\d+), sees < (\d+)$/my;

/**
 * If exactly the transactions below one number: all had ended, so an equal number means equal data.
 * https://github.com/MariaDB/server/blob/10.11/storage/innobase/include/read0types.h
 */
function readViewOf(text: string, mark: string): string | undefined {
  const statement = text.indexOf(mark);
  VIEW.lastIndex = text.indexOf('\n', statement) + 1;
  const [, end, sees] = VIEW.exec(text) ?? [];
  return statement !== -1 && end === sees ? end : undefined;
}

const COUNTER = /^Trx id counter (\d+)$/gm;
const WRITER = /^---TRANSACTION (\d+), (?!not started)/gm;

/**
 * The next transaction number and the running ones below it are read one after the other, so only
 * two equal reports prove anything: a number leaves the list for good, and none joins it without
 * the counter. Undefined where a statement or a deadlock looks like the counter.
 */
function transactionsOf(text: string): string | undefined {
  const [counter, ...others] = [...text.matchAll(COUNTER)];
  if (counter === undefined || others.length > 0) return undefined;
  const running = [...text.matchAll(WRITER)].map(([, id]) => id);
  return [counter[1], ...running].join();
}
