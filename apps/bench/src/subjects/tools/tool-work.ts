import type { BenchDatabase } from '../../tables/bench-database.ts';
import type { Work } from '../subject.ts';

/** A load as a tool runs it: so many statements, whatever time they take. */
export interface ToolWork extends Omit<Work, 'amount'> {
  readonly database: BenchDatabase;
  readonly amount: number;
}
