import type { Operator } from '../operators.ts';

/** A written value. A number keeps its digits; the attribute decides its JSON. */
export type Literal = { readonly at: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'form'; readonly form: 'number' | 'bytes'; readonly text: string }
  | { readonly kind: 'truth'; readonly truth: boolean }
  | { readonly kind: 'null' }
);

/** `at` is its start, in UTF-16 units from the start of the text. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly attribute: string;
  readonly op: Operator;
  /** In the order of the text; one truth for `is_null`. */
  readonly operands: readonly Literal[];
  /** Of `on`: a time zone's name. */
  readonly zone?: string | undefined;
  readonly at: number;
}

/** A condition on the records that refer to a record. */
export interface RelatedExpression {
  readonly kind: 'some' | 'none';
  readonly related: string;
  /** Undefined where any record meets it. */
  readonly part: Expression | undefined;
  readonly at: number;
}

/** A count or an aggregate of the records that refer to a record, under a name. */
export interface RelatedTerm {
  readonly name: string;
  readonly op: string;
  readonly opAt: number;
  /** The name of the related records, with that of their attribute behind a dot. */
  readonly path: string;
  readonly at: number;
  readonly part: Expression | undefined;
}

/** A filter expression that was read. */
export type Expression =
  | Comparison
  | RelatedExpression
  | { readonly kind: 'and'; readonly parts: readonly Expression[] }
  | { readonly kind: 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression };
