import type { Filter } from '../filter.ts';
import { comparedType, type OperandKind, OPERATORS } from '../operators.ts';
import type { AttributeEntry } from '../replies/catalogue.ts';
import {
  attributeAt,
  inversesOf,
  type LinkedModel,
  noAttributeText,
} from '../replies/linked-model.ts';
import { nameText } from '../text/name-text.ts';
import { printName } from '../text/print-filter.ts';
import { ExpressionError } from './expression-error.ts';
import type { Comparison, Expression, RelatedExpression } from './expression.ts';
import { filterValue } from './filter-value.ts';
import { operatorTexts } from './operator-text.ts';
import { parseExpression } from './parse.ts';

/**
 * Reads the language that `printFilter` writes.
 *
 * @throws {ExpressionError} at the first error.
 */
export function compileFilter(text: string, model: LinkedModel): Filter {
  return compileExpression(parseExpression(text), model);
}

export function compileExpression(expression: Expression, model: LinkedModel): Filter {
  if (expression.kind === 'not') return { not: compileExpression(expression.part, model) };
  if (expression.kind === 'and')
    return { and: expression.parts.map((part) => compileExpression(part, model)) };
  if (expression.kind === 'or')
    return { or: expression.parts.map((part) => compileExpression(part, model)) };
  if (expression.kind !== 'comparison') return compileQuantified(expression, model);
  return compileComparison(expression, attributeOf(expression, model));
}

function compileQuantified(
  { kind, related, part, at }: RelatedExpression,
  model: LinkedModel,
): Filter {
  const inverses = inversesOf(model);
  const target = inverses.get(related);
  if (target === undefined) {
    const names = [...inverses.keys()].map(printName).join(', ') || 'none';
    throw new ExpressionError(
      at,
      `no records are related to ${nameText(model.name)} by "${related}". Names: ${names}.`,
    );
  }
  const filter = part === undefined ? {} : compileExpression(part, target);
  return kind === 'some' ? { related, some: filter } : { related, none: filter };
}

function compileComparison(
  { op, operands, zone, at }: Comparison,
  attribute: AttributeEntry,
): Filter {
  const { name, type, operators } = attribute;
  if (!operators.includes(op)) {
    throw new ExpressionError(
      at,
      `${nameText(name)} is of type ${type} and takes ` +
        `${operatorTexts(operators) || 'no filters'}; not ${operatorTexts([op])}.`,
    );
  }
  const operand: OperandKind = OPERATORS[op].operand;
  const compared = operand === 'day' ? 'date' : comparedType(attribute);
  const values =
    operand === 'truth'
      ? operands.map((literal) => literal.kind === 'truth' && literal.truth)
      : operands.map((literal) => filterValue(literal, compared));
  return {
    attribute: name,
    op,
    value: operand === 'list' || operand === 'pair' ? values : values[0],
    ...(zone !== undefined && { time_zone: zone }),
  };
}

function attributeOf({ attribute, at }: Comparison, model: LinkedModel): AttributeEntry {
  const found = attributeAt(attribute, model);
  if (found) return found;
  throw new ExpressionError(at, noAttributeText(attribute, model), attribute);
}
