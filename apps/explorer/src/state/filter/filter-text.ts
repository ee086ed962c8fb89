import { isOperator, OPERATORS } from '@proj/contract';

import { isGroup } from './filter-tree.ts';
import { escapeWith, joinEscaped, splitEscaped, unescape } from './separated-list.ts';
import { type Condition, type ConditionOperator, type FilterNode, MATCHES } from '../view-state.ts';

/** The head of a group, such as `any(`. */
const GROUP = new RegExp(`^(${MATCHES.join('|')})\\(`);

/**
 * A part of a filter as the address has it: `population.gte.1000000`, or a group of parts such as
 * `any(name.eq.Bern;name.eq.Basel)`. A backslash goes before what belongs to a name or a value.
 */
export function filterPartText(node: FilterNode): string {
  if (isGroup(node)) return `${node.match}(${joinEscaped(node.parts.map(filterPartText), ';')})`;
  const { attribute, operator, operands } = node;
  const name = escapeWith(attribute, '.');
  const head = `${GROUP.test(name) ? '\\' : ''}${name}.${operator}`;
  return operands.length === 0 ? head : `${head}.${joinEscaped(operands, ',')}`;
}

/** Reads what {@link filterPartText} wrote; undefined where any part of it cannot be read. */
export function readFilterPart(text: string): FilterNode | undefined {
  const head = GROUP.exec(text);
  const match = MATCHES.find((name) => name === head?.[1]);
  if (head === null || match === undefined) return readCondition(text);
  if (!text.endsWith(')')) return undefined;
  const parts = splitEscaped(text.slice(head[0].length, -1), ';').map((part) =>
    readFilterPart(unescape(part)),
  );
  const read = parts.filter((part) => part !== undefined);
  return read.length === parts.length ? { match, parts: read } : undefined;
}

function readCondition(text: string): Condition | undefined {
  const [attribute = '', operator = '', operands] = splitEscaped(text, '.', 3);
  if (attribute === '' || !(isOperator(operator) || operator === 'not_null')) return undefined;
  const typed = operands === undefined ? [] : splitEscaped(operands, ',').map(unescape);
  if (!takesOperands(operator, typed.length)) return undefined;
  return { attribute: unescape(attribute), operator, operands: typed };
}

/**
 * Whether an operator can be sent with so many values. Lists and pairs always can, since the
 * service reports what is wrong with them. With other operators a missing or an additional value
 * would be lost.
 */
function takesOperands(operator: ConditionOperator, count: number): boolean {
  const kind = operator === 'not_null' ? 'truth' : OPERATORS[operator].operand;
  if (kind === 'list' || kind === 'pair') return true;
  return count === (kind === 'truth' ? 0 : 1);
}
