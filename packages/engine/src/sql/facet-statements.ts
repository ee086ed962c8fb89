import type { Field } from '../catalogue/field.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { Statement, Template } from './statement.ts';

/** A facet of values, as a source reads it. */
export interface ValuesShape {
  readonly kind: 'values';
}

/** A facet of bins, as a source reads it. */
export interface BinsShape {
  readonly kind: 'bins';
  readonly field: Field;
  readonly bins: number;
  /** Whether the values have a sum. */
  readonly isAdded: boolean;
  /** Whether values may be in no bin, so that a list of all values follows that of the bins. */
  readonly mayBeInNone: boolean;
}

export type FacetShape = ValuesShape | BinsShape;

/** What the records of each of several lists consist of, in their order. */
export type ListFields = readonly (readonly Field[])[];

/** The statements of facets, which a source runs in one snapshot. */
export interface FacetStatements {
  /** Which relations are read. */
  readonly relations: readonly RelationPath[];
  /** Whether several statements of one transaction see one state of them. */
  readonly hasSnapshots: boolean;
  /** Which facets, in order. */
  readonly facets: readonly FacetShape[];
  /**
   * Selects the lists of each facet, that of the total where no facet is of all records, and
   * without snapshots those of `ranges`. The bounds of bins, with a divisor each, are the
   * placeholders of its key.
   */
  readonly read: Template;
  readonly fields: ListFields;
  /** The least and the greatest value of each facet of bins; undefined where there is none. */
  readonly ranges: Statement | undefined;
  readonly rangeFields: ListFields;
  /** As in `QueryStatements`. */
  readonly lock: Statement | undefined;
  readonly version?: Statement | undefined;
  /** How many bytes the reply may take. */
  readonly maxBytes: number;
}
