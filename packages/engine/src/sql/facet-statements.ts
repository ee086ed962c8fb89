import type { Field } from '../catalogue/field.ts';
import type { QueryStatements } from './query-statements.ts';
import type { Statement, Template } from './statement.ts';

export interface ValuesShape {
  readonly kind: 'values';
}

export interface BinsShape {
  readonly kind: 'bins';
  readonly field: Field;
  readonly bins: number;
  readonly isAdded: boolean;
  /** Whether some values may be in no bin; a list of all values then follows that of the bins. */
  readonly mayBeInNone: boolean;
}

export type FacetShape = ValuesShape | BinsShape;

export type ListFields = readonly (readonly Field[])[];

export interface FacetStatements extends Pick<
  QueryStatements,
  'relations' | 'lock' | 'session' | 'version' | 'maxBytes'
> {
  readonly hasSnapshots: boolean;
  readonly facets: readonly FacetShape[];
  /** Each facet's lists, maybe total and `ranges`. The key binds bounds and divisors of bins. */
  readonly read: Template;
  readonly fields: ListFields;
  /** The ends of each facet of bins; undefined without such facets. */
  readonly ranges: Statement | undefined;
  readonly rangeFields: ListFields;
}
