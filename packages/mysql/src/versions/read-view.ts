import { randomUUID } from 'node:crypto';

/** What asks a server for its read views. */
export interface ViewReport {
  readonly sql: string;
  /** What no other session can have in its own statement. */
  readonly mark: string;
}

/** What the server answers to a report. */
export interface ViewAnswer {
  readonly text: string;
  /** What the status took in the server, in milliseconds; 0 where it does not say. */
  readonly milliseconds: number;
}

/** How a product shows which transactions a snapshot sees. */
export interface ViewForm {
  /**
   * Whether {@link midway} reports the open snapshot. Otherwise it reports the present, which is
   * what a snapshot sees that was taken between two equal reports.
   */
  readonly reportsSnapshot: boolean;
  /** Reports amid a transaction, which goes on. */
  readonly midway: () => ViewReport;
  /** Reports what a snapshot taken now is. */
  readonly now: () => ViewReport;
  /** Names the view; undefined where the status does not say all of it. */
  readonly viewOf: (text: string, mark: string) => string | undefined;
}

export const VIEW_FORMS: Readonly<Record<'mariadb' | 'mysql', ViewForm>> = {
  // The first statement that read took the view after it had locked the definition of its tables:
  // nobody altered them since.
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

/**
 * The status shows each session with its statement, which may hold any text; so ours is marked. The
 * server takes the time itself: here it would also be that of a process that is busy.
 */
function report(begin: readonly string[] = [], end: readonly string[] = []): ViewReport {
  const mark = randomUUID();
  const timed = [
    'declare began datetime(6) default now(6)',
    ...begin,
    `show engine /* ${mark} */ innodb status`,
    'select timestampdiff(microsecond, began, now(6))',
    ...end,
  ];
  // In one line, as the view is on the next one after it.
  const sql = `begin not atomic ${timed.join('; ')}; end`;
  return { mark, sql };
}

/** Reads the answer; undefined where it is of another form. */
export function answerOf(results: readonly unknown[]): ViewAnswer | undefined {
  const [, , text, microseconds = 0] = (results as unknown[][][]).flat(2);
  const milliseconds = Number(microseconds) / 1000;
  return typeof text === 'string' ? { text, milliseconds } : undefined;
}

/** The view that is printed below the statement of its session. */
const VIEW = /^Trx read view will not see trx with id >= (\d+), sees < (\d+)$/;

/**
 * Which transactions the marked session's snapshot sees, if it is exactly those below one number:
 * all of them had ended, so another snapshot of the same number sees the same data. Undefined where
 * some below its end still ran, or where the status says nothing of it.
 * https://github.com/MariaDB/server/blob/10.11/storage/innobase/include/read0types.h
 */
function readViewOf(text: string, mark: string): string | undefined {
  const lines = text.split('\n');
  const statement = lines.findIndex((line) => line.includes(mark));
  const [, end, sees] = VIEW.exec(lines[statement + 1] ?? '') ?? [];
  return statement !== -1 && end === sees ? end : undefined;
}

const COUNTER = /^Trx id counter (\d+)$/gm;
const WRITER = /^---TRANSACTION (\d+), (?!not started)/gm;

/**
 * The next number that a transaction takes, and which ones below it still run: what a read view is
 * made of. The two are read one after the other, so only two equal reports prove anything: a number
 * leaves the list for good, and none joins it without the counter. Undefined where a statement of
 * another session, or of a deadlock, looks like the counter.
 * https://github.com/mysql/mysql-server/blob/8.4/storage/innobase/include/read0types.h
 */
function transactionsOf(text: string): string | undefined {
  const [counter, ...others] = [...text.matchAll(COUNTER)];
  if (counter === undefined || others.length > 0) return undefined;
  const running = [...text.matchAll(WRITER)].map(([, id]) => id);
  return [counter[1], ...running].join();
}
