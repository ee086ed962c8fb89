import type { Field } from '../catalogue/field.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { Statement, Template } from './statement.ts';

/** A facet of values, as a source reads it. */
export interface ValuesShape {
  readonly kind: 'values';
  readonly field: Field;
}

/** A facet of bins, as a source reads it. */
export interface BinsShape {
  readonly kind: 'bins';
  readonly field: Field;
  readonly bins: number;
  /** Whether the values have a sum. */
  readonly isAdded: boolean;
}

export type FacetShape = ValuesShape | BinsShape;

/** The statements of facets, which a source runs in one snapshot. */
export interface FacetStatements {
  /** Which relations are read. */
  readonly relations: readonly RelationPath[];
  /** Whether several statements of one transaction see one state of them. */
  readonly hasSnapshots: boolean;
  /** Which facets, in order. */
  readonly facets: readonly FacetShape[];
  /** All facets; the bounds of their bins, with a divisor each, are the placeholders of its key. */
  readonly read: Template;
  /** The least and the greatest value of each facet of bins; undefined where there is none. */
  readonly ranges: Statement | undefined;
  /** As in `QueryStatements`. */
  readonly lock: Statement | undefined;
  readonly version?: Statement | undefined;
  /** How many bytes the reply may take. */
  readonly maxBytes: number;
}
