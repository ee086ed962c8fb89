import type { Deadline } from '../deadline.ts';
import type { StatementSession } from '../sql/statement.ts';
import type { Callers } from './callers.ts';

/** One read and its deadline. The database stops it then, or when the caller disconnects. */
export interface ReadCall extends Deadline {
  /** Those who wait for it. Default: one caller without a name. */
  readonly callers?: Callers;
  /** See `statement-shape.ts`. Default: a statement known to be quick. */
  readonly shape?: string;
  /** Whom the database reads as. Default: the service. */
  readonly session?: StatementSession | undefined;
}
