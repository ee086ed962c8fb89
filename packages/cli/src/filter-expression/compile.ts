import type { AttributeEntry, Filter, ModelEntry } from '@proj/client';
import { nameText, nameTexts, type OperandKind, OPERATORS } from '@proj/contract';

import { ExpressionError, pointAt } from './expression-error.ts';
import type { Comparison, Expression } from './expression.ts';
import { filterValue } from './filter-value.ts';
import { operatorTexts } from './operator-text.ts';
import { parseExpression } from './parse.ts';

/**
 * The contract's filter tree for an expression, with values in the JSON that the model's attributes
 * take.
 *
 * @param place where the caller wrote the expression, for errors
 * @throws {UsageError} with a caret below the first error.
 */
export function compileFilter(text: string, model: ModelEntry, place: string): Filter {
  try {
    return compile(parseExpression(text), model);
  } catch (error) {
    throw error instanceof ExpressionError ? pointAt(text, error, place) : error;
  }
}

function compile(expression: Expression, model: ModelEntry): Filter {
  if (expression.kind === 'not') return { not: compile(expression.part, model) };
  if (expression.kind === 'and')
    return { and: expression.parts.map((part) => compile(part, model)) };
  if (expression.kind === 'or') return { or: expression.parts.map((part) => compile(part, model)) };
  return compileComparison(expression, attributeOf(expression, model));
}

function compileComparison({ op, operands, at }: Comparison, attribute: AttributeEntry): Filter {
  const { name, type, operators } = attribute;
  if (!operators.includes(op)) {
    throw new ExpressionError(
      at,
      `${nameText(name)} is of type ${type} and takes ` +
        `${operatorTexts(operators) || 'no filters'}; not ${operatorTexts([op])}.`,
    );
  }
  const operand: OperandKind = OPERATORS[op].operand;
  const values =
    operand === 'truth'
      ? operands.map((literal) => literal.kind === 'truth' && literal.truth)
      : operands.map((literal) => filterValue(literal, type));
  return {
    attribute: name,
    op,
    value: operand === 'list' || operand === 'pair' ? values : values[0],
  };
}

function attributeOf(
  { attribute, at }: Comparison,
  { name, attributes }: ModelEntry,
): AttributeEntry {
  const found = attributes.find((entry) => entry.name === attribute);
  if (found) return found;
  const names = nameTexts(attributes.map((entry) => entry.name));
  throw new ExpressionError(
    at,
    `${name} has no attribute "${attribute}". It has ${names}.`,
    attribute,
  );
}
