import type { Deadline } from '../deadline.ts';
import type { StatementSession } from '../sql/statement.ts';
import type { Callers } from './callers.ts';

/**
 * One read: its deadline, and whom it is for. At the deadline, or when the caller disconnects, the
 * statement is stopped in the database.
 */
export interface ReadCall extends Deadline {
  /** Those who wait for it. Default: one caller without a name. */
  readonly callers?: Callers;
  /**
   * Statements of the same shape are expected to cost the same: see `statement-shape.ts`. Default:
   * a statement that is known to be quick.
   */
  readonly shape?: string;
  /** As whom the database reads. Default: as the service. */
  readonly session?: StatementSession | undefined;
}
