import {
  type AggregateOp,
  AGGREGATES,
  inversesOf,
  type LinkedModel,
  type RequestedRelated,
} from '@proj/contract';

import { UsageError } from '../failure.ts';
import { filterAt } from '../filter-expression/filter-flags.ts';

const TERM =
  /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=\s*(\w+)\s+([^\s.]+)(?:\.(\S+))?(?:\s+where\s+(.+))?$/su;

const EXAMPLE = '"orders_count = count orders" or "last = max orders.placed_at where amount > 10"';

/**
 * Reads `orders_count = count orders` and `last = max orders.placed_at where amount > 10`.
 *
 * @throws {UsageError} when a text is neither, or nothing refers to the model by the name.
 */
export function readRelated(
  texts: readonly string[] | undefined,
  model: LinkedModel,
): RequestedRelated | undefined {
  return texts && Object.fromEntries(texts.map((text) => readOne(text, model)));
}

function readOne(text: string, model: LinkedModel): [string, RequestedRelated[string]] {
  const [, name = '', op = '', related = '', attribute, condition] = TERM.exec(text) ?? [];
  if (!isOp(op)) throw new UsageError(`--related ${text}: expected a text such as ${EXAMPLE}.`);
  const inverses = inversesOf(model);
  const referring = inverses.get(related);
  if (referring === undefined) {
    const known = [...inverses.keys()].join(', ') || 'nothing does';
    throw new UsageError(`--related: nothing refers to ${model.name} by "${related}": ${known}.`);
  }
  const filter = condition && filterAt('--related', condition, referring);
  return [name, { related, op, ...(attribute && { attribute }), ...(filter && { filter }) }];
}

function isOp(op: string): op is AggregateOp {
  return Object.hasOwn(AGGREGATES, op);
}
