import {
  type AggregateOp,
  AGGREGATES,
  aggregatesOf,
  type RequestedRelated,
} from '../aggregates.ts';
import {
  attributeAt,
  inversesOf,
  type LinkedModel,
  noAttributeText,
} from '../replies/linked-model.ts';
import { nameText } from '../text/name-text.ts';
import { printName } from '../text/print-filter.ts';
import type { WireType } from '../wire-types.ts';
import { compileExpression } from './compile.ts';
import { ExpressionError } from './expression-error.ts';
import type { RelatedTerm } from './expression.ts';
import { parseRelated } from './parse.ts';

type Counted = RequestedRelated[string];

/**
 * Reads `orders_count = count orders` and `last = max orders.placed_at where amount > 10`, as
 * `printRelated` writes it.
 *
 * @throws {ExpressionError} at the first error.
 */
export function compileRelated(text: string, model: LinkedModel): [name: string, Counted] {
  const term = parseRelated(text);
  const op = operationOf(term);
  const { related, attribute, referring } = endOf(term, model);
  if (attribute === undefined && AGGREGATES[op].attribute === 'required')
    throw new ExpressionError(
      term.at,
      `${op} needs an attribute, as in ${op} ${printName(`${related}.${firstOf(referring)}`)}.`,
    );
  if (attribute !== undefined) checkAttribute({ ...term, op, attribute }, referring);
  const filter = term.part && compileExpression(term.part, referring);
  return [term.name, { related, op, ...(attribute && { attribute }), ...(filter && { filter }) }];
}

const OPS = Object.keys(AGGREGATES) as AggregateOp[];

function operationOf({ op, opAt }: RelatedTerm): AggregateOp {
  const found = OPS.find((one) => one === op.toLowerCase());
  if (found === undefined) throw new ExpressionError(opAt, `expected one of ${OPS.join(', ')}.`);
  return found;
}

interface End {
  readonly related: string;
  readonly referring: LinkedModel;
  /** Undefined for the records themselves. */
  readonly attribute: string | undefined;
}

/** A name may have dots itself, so the longest one that fits is meant. */
function endOf({ path, at }: RelatedTerm, model: LinkedModel): End {
  const inverses = [...inversesOf(model)].toSorted(([a], [b]) => b.length - a.length);
  for (const [related, referring] of inverses) {
    if (path === related) return { related, referring, attribute: undefined };
    if (path.startsWith(`${related}.`))
      return { related, referring, attribute: path.slice(related.length + 1) };
  }
  const known = inverses.map(([name]) => printName(name)).toSorted();
  throw new ExpressionError(
    at,
    `nothing refers to ${nameText(model.name)} by "${path}". Names: ${known.join(', ') || 'none'}.`,
  );
}

function checkAttribute(
  {
    op,
    attribute,
    at,
  }: { readonly op: AggregateOp; readonly attribute: string; readonly at: number },
  referring: LinkedModel,
): void {
  const entry = attributeAt(attribute, referring);
  if (entry === undefined) throw new ExpressionError(at, noAttributeText(attribute, referring));
  const ops = aggregatesOf(entry.type as WireType, entry.items as WireType | undefined);
  if (ops.includes(op)) return;
  throw new ExpressionError(
    at,
    `${nameText(attribute)} is of type ${entry.type}, which has no ${op}; ` +
      `it has ${ops.join(', ')}.`,
  );
}

function firstOf({ attributes: [first] }: LinkedModel): string {
  return first?.name ?? 'attribute';
}
