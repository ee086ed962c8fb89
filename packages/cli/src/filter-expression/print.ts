import type { Operator } from '@proj/contract';

import type { Comparison, Expression, Literal } from './expression.ts';
import { isWord } from './tokens.ts';

/** Writes an expression so that reading it gives the same expression again. */
export function printExpression(expression: Expression): string {
  if (expression.kind === 'comparison') return printComparison(expression);
  if (expression.kind === 'not') return `not ${inner(expression.part)}`;
  return expression.parts.map(inner).join(` ${expression.kind} `);
}

function inner(part: Expression): string {
  return part.kind === 'and' || part.kind === 'or'
    ? `(${printExpression(part)})`
    : printExpression(part);
}

/** The operators that are written between the name and one value. */
const INFIX: Partial<Record<Operator, string>> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  icontains: 'icontains',
  istarts_with: 'istarts with',
  iends_with: 'iends with',
  is_distinct: 'is distinct from',
};

function printComparison({ attribute, op, operands }: Comparison): string {
  const name =
    isWord(attribute) && !/^(?:and|or|not)$/i.test(attribute)
      ? attribute
      : `\`${attribute.replaceAll('`', '``')}\``;
  const values = operands.map(printLiteral);
  const infix = INFIX[op];
  if (infix !== undefined) return `${name} ${infix} ${values.join()}`;
  if (op === 'is_null') return `${name} ${values[0] === 'true' ? 'is null' : 'is not null'}`;
  if (op === 'between') return `${name} between ${values.join(' and ')}`;
  return `${name} ${op === 'in' ? 'in' : 'not in'} (${values.join(', ')})`;
}

function printLiteral(literal: Literal): string {
  if (literal.kind === 'text') return `'${literal.text.replaceAll("'", "''")}'`;
  if (literal.kind === 'number') return literal.text;
  return literal.kind === 'truth' ? String(literal.truth) : 'null';
}
