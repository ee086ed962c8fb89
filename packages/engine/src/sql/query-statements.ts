import type { Field } from '../catalogue/field.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { Key } from './clauses/seek.ts';
import type { Statement, StatementSession, Template } from './statement.ts';

/** How the transaction of a list's statements begins, and which version it reports. */
export interface StatementTerms {
  readonly relations: readonly RelationPath[];
  /** Begins a transaction whose snapshot alone would not show one state. */
  readonly lock: Statement | undefined;
  readonly session?: StatementSession | undefined;
  /** Whether its version must be that of the whole database, whose functions it may call. */
  readonly mayCall?: boolean | undefined;
  readonly version?: Statement | undefined;
}

/** The statements of a list, for any page. Those of one page run in one snapshot. */
export interface QueryStatements extends StatementTerms {
  readonly fields: readonly Field[];
  readonly rows: Template;
  /** From the list's end: the offset counts what follows the page. Undefined where that is off. */
  readonly reversed: Template | undefined;
  /** One number: the records of the list, up to a bound limit if there is one. */
  readonly count: Template;
  /** Records with the count behind them, for one statement. */
  readonly atOnce: Template | undefined;
  /** Whether a page that is not full may prove the total. */
  readonly shortPageProof: boolean;
  readonly maxBytes: number;
}

export interface WholeListStatements extends StatementTerms {
  readonly fields: readonly Field[];
  /** One record a row, in the dialect's form. */
  readonly records: Statement;
  readonly count: Statement;
  /** Records, each with the total, where two statements may see two states; else undefined. */
  readonly countedRecords: Statement | undefined;
  /** One number: the field with a misfit, from 1; 0 for none. */
  readonly misfit?: Statement | undefined;
}

export interface PageRange {
  readonly size: number;
  readonly offset: bigint;
}

export interface RowsStatement {
  readonly relations: readonly RelationPath[];
  readonly statement: Template;
  readonly bindings: PageRange & { readonly key?: readonly unknown[]; readonly count?: number };
  readonly fields: readonly Field[];
  readonly reversed: boolean;
  /** Whether the last record is counted, not shown. Default: false. */
  readonly oneMore?: boolean;
  readonly maxBytes: number;
}

export interface KeyTemplates {
  readonly keys: Template;
  readonly rows: Template;
  /** The most bytes of a key's values, where known; else 0. */
  readonly keyBytes: number;
}

export interface KeysStatement extends KeyTemplates {
  readonly relations: readonly RelationPath[];
  readonly lock: Statement | undefined;
  /** The number of rows, the place of the first wanted key, and the key before the rows. */
  readonly bindings: PageRange & { readonly key: Key };
  readonly maySort: boolean;
}

export function rowsBy(
  { relations, fields, maxBytes }: Pick<QueryStatements, 'relations' | 'fields' | 'maxBytes'>,
  statement: Template,
  bindings: RowsStatement['bindings'],
): RowsStatement {
  return { relations, statement, bindings, fields, reversed: false, maxBytes };
}

export function fromNearerEnd(
  statements: Pick<QueryStatements, 'relations' | 'rows' | 'reversed' | 'fields' | 'maxBytes'>,
  { size, offset }: PageRange,
  total: bigint,
): RowsStatement | undefined {
  if (offset >= total) return undefined;
  const { rows, reversed } = statements;
  const end = offset + BigInt(size) < total ? offset + BigInt(size) : total;
  const after = total - end;
  if (reversed === undefined || after >= offset) return rowsBy(statements, rows, { size, offset });
  const bindings = { size: Number(end - offset), offset: after };
  return { ...rowsBy(statements, reversed, bindings), reversed: true };
}

export interface BinsShape {
  readonly field: Field;
  readonly bins: number;
  readonly isAdded: boolean;
  /** Whether some values may be in no bin; a list of all values then follows that of the bins. */
  readonly mayBeInNone: boolean;
}

export type ListFields = readonly (readonly Field[])[];

export interface FacetStatements extends StatementTerms {
  readonly maxBytes: number;
  readonly hasSnapshots: boolean;
  /** Undefined for a facet of values. */
  readonly facets: readonly (BinsShape | undefined)[];
  /** Each facet's lists, maybe total and `ranges`. The key binds bounds and divisors of bins. */
  readonly read: Template;
  readonly fields: ListFields;
  /** The ends of each facet of bins; undefined without such facets. */
  readonly ranges: Statement | undefined;
  readonly rangeFields: ListFields;
}
