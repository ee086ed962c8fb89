import { hash } from 'node:crypto';

import type { OrderTerm } from '../catalogue/model.ts';
import type { Dialect } from './dialect.ts';
import type { QueryStatements } from './query-statements.ts';
import type { Template } from './statement.ts';
import {
  compileCheckpoints,
  compileQuery,
  type CompileOptions,
  compileSeek,
  type QueryPlan,
} from './compile.ts';
import type { Condition } from '../planning/plan-filter.ts';
import type { SeekShape } from './seek.ts';

/**
 * A list of elements of which pages are read: its statements, compiled once, and the keys under
 * which facts about it are kept.
 */
export class PreparedQuery {
  readonly plan: QueryPlan;
  /**
   * The same for lists of the same elements, in whatever order and with whatever attributes: they
   * have one total.
   */
  readonly totalKey: string;
  /** The same for lists of the same elements in the same order: they have one page index. */
  readonly orderKey: string;
  /** The same for equal lists. */
  readonly key: string;
  /** What the list takes in memory, in bytes, estimated. */
  readonly bytes: number;
  readonly #dialect: Dialect;
  readonly #options: CompileOptions;
  readonly #seeks = new Map<string, Template>();
  #statements: QueryStatements | undefined;

  constructor(plan: QueryPlan, dialect: Dialect, options: CompileOptions) {
    this.plan = plan;
    this.#dialect = dialect;
    this.#options = options;
    ({
      totalKey: this.totalKey,
      orderKey: this.orderKey,
      key: this.key,
      bytes: this.bytes,
    } = keysOf(plan));
  }

  get statements(): QueryStatements {
    this.#statements ??= compileQuery(this.plan, this.#dialect, this.#options);
    return this.#statements;
  }

  /** The rows from a key on. */
  seek(shape: SeekShape): Template {
    const name = `${shape.reachesNulls}${shape.nulls.join()}`;
    const known = this.#seeks.get(name);
    if (known !== undefined) return known;
    const made = compileSeek(this.plan, this.#dialect, {
      shape,
      maxBytes: this.#options.maxReplyBytes,
    });
    this.#seeks.set(name, made);
    return made;
  }

  /** Every so many keys of the list; undefined where the database has none. */
  checkpoints(step: number): Template | undefined {
    return compileCheckpoints(this.plan, this.#dialect, step);
  }
}

/**
 * What a compiled list takes beside its condition and its attributes, for each character of the
 * former and each of the latter.
 */
const LIST_BYTES = 8000;
const CONDITION_FACTOR = 5;
const ATTRIBUTE_BYTES = 1000;

/**
 * The keys of a list: hashes, since a condition may be long. The condition holds the row filter of
 * the grant too, so that nobody meets the total of somebody else's rows.
 */
export function keysOf({
  model,
  condition,
  order,
  attributes,
}: QueryPlan): Pick<PreparedQuery, 'totalKey' | 'orderKey' | 'key' | 'bytes'> {
  const elements = JSON.stringify([
    model.name,
    condition === undefined ? null : shapeOf(condition),
  ]);
  const totalKey = hash('sha256', elements, 'base64url');
  const orderKey = hash('sha256', JSON.stringify([totalKey, order.map(orderShape)]), 'base64url');
  const key = hash(
    'sha256',
    JSON.stringify([orderKey, attributes.map(({ name }) => name)]),
    'base64url',
  );
  return {
    totalKey,
    orderKey,
    key,
    bytes: LIST_BYTES + elements.length * CONDITION_FACTOR + attributes.length * ATTRIBUTE_BYTES,
  };
}

function orderShape({ column, direction, nulls, field }: OrderTerm): unknown {
  return [column, direction, nulls, field?.type, field?.storedAs];
}

function shapeOf(condition: Condition): unknown {
  if ('and' in condition) return { and: condition.and.map(shapeOf) };
  if ('or' in condition) return { or: condition.or.map(shapeOf) };
  if ('not' in condition) return { not: shapeOf(condition.not) };
  // JSON has one text for NaN and the infinities, and none for a bigint.
  return [
    condition.attribute.name,
    condition.op,
    condition.values.map((value) => [typeof value, String(value)]),
  ];
}
