import { type AggregateOp, groupName, type GroupTerms } from './aggregates.ts';

/** What is computed of records. */
interface Aggregate {
  readonly op: AggregateOp;
  readonly attribute?: string | undefined;
}

/** The most characters of a computed member's name. */
const LONGEST = 63;

/** An aggregate's usual name: `count`, `sum_amount`, `distinct_customer_name`. */
export function aggregateName({ op, attribute }: Aggregate): string {
  if (attribute === undefined) return op;
  return `${op === 'count_distinct' ? 'distinct' : op}_${attribute}`;
}

/**
 * The aggregates of a request by their usual names, which no group attribute has. The same
 * aggregate is there once; another of an equal name is `distinct_customer_id_2`.
 */
export function nameAggregates<One extends Aggregate>(
  aggregates: readonly One[],
  by: GroupTerms['by'] = [],
): ReadonlyMap<string, One> {
  const groups = by.map((term) => (typeof term === 'string' ? term : groupName(term)));
  const named = memberNames(groups);
  const once = new Map(aggregates.map((one) => [JSON.stringify([one.op, one.attribute]), one]));
  return new Map([...once.values()].map((one) => [named(aggregateName(one)), one]));
}

/** Makes names of computed members from texts, each another one. */
export function memberNames(taken: readonly string[]): (text: string) => string {
  const names = new Set(taken);
  const counts = new Map<string, number>();
  return (text) => {
    const plain = text.replaceAll(/[^\p{L}\p{N}_]/gu, '_').replace(/^(?=\p{N})/u, '_');
    const usual = Array.from(plain).slice(0, LONGEST);
    const base = usual.join('');
    for (let count = counts.get(base) ?? 1; ; count += 1) {
      const ending = count === 1 ? '' : `_${count}`;
      const name = usual.slice(0, LONGEST - ending.length).join('') + ending;
      if (names.has(name)) continue;
      names.add(name);
      counts.set(base, count + 1);
      return name;
    }
  };
}
