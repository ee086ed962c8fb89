import { FILTER_LIMITS } from '@proj/contract';

import { demandProblem } from '../../demand-problem.ts';
import { filtered, leaf } from '../../subject/filtered.ts';
import { type Rule } from '../../rule.ts';
import { demand, given } from '../../demand.ts';
import type { Subject } from '../../subject/subject.ts';

function nested(subject: Subject, depth: number): unknown {
  return depth === 1 ? leaf(subject) : { not: nested(subject, depth - 1) };
}

const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

/** At the limit a filter is answered, one past it refused. */
async function checkLimit(
  subject: Subject,
  limit: number,
  filterOf: (size: number) => unknown,
): Promise<void> {
  const { status } = await filtered(subject, filterOf(limit));
  demand(status === 200, `a filter at its limit of ${limit}: expected status 200; got ${status}`);
  demandProblem(await filtered(subject, filterOf(limit + 1)), {
    of: `a filter past its limit of ${limit}`,
    code: 'filter_too_large',
  });
}

const lengthOf = ({ value }: { value: unknown }): number =>
  JSON.stringify(value)?.length ?? Infinity;

/** The attribute with the shortest values: a thousand of them must fit into a body. */
async function listed(subject: Subject): Promise<{ name: string; value: unknown }> {
  const suiting = subject.attributes(({ operators }) => operators.includes('in'));
  const found = await Promise.all(
    suiting.map(async ({ name }) => ({ name, value: (await subject.values(name))[0] })),
  );
  const [shortest] = found.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return given(
    shortest && lengthOf(shortest) < 30 ? shortest : undefined,
    'no attribute with short values takes in',
  );
}

export const FILTER_LIMIT_RULES: readonly Rule[] = [
  {
    id: 'filter-limits',
    sentence:
      'A filter is at most 5 deep, has at most 50 comparisons, and lists at most 1000 values.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value } = await listed(subject);
      await checkLimit(subject, FILTER_LIMITS.depth, (depth) => nested(subject, depth));
      await checkLimit(subject, FILTER_LIMITS.leaves, (leaves) => ({
        or: many(leaves, leaf(subject)),
      }));
      await checkLimit(subject, FILTER_LIMITS.values, (values) => ({
        attribute: name,
        op: 'in',
        value: many(values, value),
      }));
    },
  },
];
