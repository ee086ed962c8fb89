import { randomUUID } from 'node:crypto';

/** What a transaction reports of its snapshot. */
export interface ViewReport {
  readonly sql: string;
  /** What no other session can have in its own statement. */
  readonly mark: string;
}

/** What the server answers to a report. */
export interface ViewAnswer {
  readonly text: string;
  /** What the status took in the server, in milliseconds. */
  readonly milliseconds: number;
}

/**
 * Reports the read view of the transaction that is open, which goes on. The first statement that
 * read took the view after it had locked the definition of its tables: nobody altered them since.
 */
export function reportMidway(): ViewReport {
  return report();
}

/** Reports what a snapshot taken now is. */
export function reportNow(): ViewReport {
  return report(['start transaction with consistent snapshot'], ['commit']);
}

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
  const [[[, , text] = []] = [], [[microseconds] = []] = []] = results as unknown[][][];
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
export function readViewOf(text: string, mark: string): string | undefined {
  const lines = text.split('\n');
  const statement = lines.findIndex((line) => line.includes(mark));
  const [, end, sees] = VIEW.exec(lines[statement + 1] ?? '') ?? [];
  return statement !== -1 && end === sees ? end : undefined;
}
