import { randomUUID } from 'node:crypto';

/** What a transaction reports of its snapshot, and ends with. */
export interface ViewReport {
  readonly sql: string;
  /** What no other session can have in its own statement. */
  readonly mark: string;
}

/**
 * Reports the read view of the transaction that is open, and ends it. The first statement that read
 * took the view after it had locked the definition of its tables, so nobody altered them since.
 */
export function reportAtEnd(): ViewReport {
  const mark = randomUUID();
  return { mark, sql: `begin not atomic ${status(mark)}; commit; end` };
}

/** Reports what a snapshot taken now is. */
export function reportNow(): ViewReport {
  const mark = randomUUID();
  const begin = 'start transaction with consistent snapshot';
  return { mark, sql: `begin not atomic ${begin}; ${status(mark)}; commit; end` };
}

/**
 * The status shows each session with its statement, which may hold any text; so ours is marked.
 */
function status(mark: string): string {
  return `show engine /* ${mark} */ innodb status`;
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
