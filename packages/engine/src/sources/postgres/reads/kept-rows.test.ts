import { describe, expect, it } from 'vitest';

import { keptRows } from './kept-rows.ts';

/** A node of a plan. */
function node(type: string, rows: number, inputs: readonly object[] = []): object {
  return { 'Node Type': type, 'Plan Rows': rows, 'Plan Width': 16, Plans: inputs };
}

function keptBy(plan: object): { rows: number; width: number } {
  return keptRows(JSON.stringify([{ Plan: plan }]));
}

describe('the rows that a plan keeps', () => {
  it('are none where an index brings them in order', () => {
    const plan = node('Limit', 100, [node('Index Only Scan', 1_000_000)]);
    expect(keptBy(plan)).toEqual({ rows: 0, width: 0 });
  });

  it('are all that a sort gets, whatever the limit above it', () => {
    const plan = node('Limit', 100, [node('Sort', 1_000_000, [node('Seq Scan', 1_000_000)])]);
    expect(keptBy(plan)).toEqual({ rows: 1_000_000, width: 16 });
  });

  it('are as many as the limit lets through where the first column is in order already', () => {
    const scan = node('Index Scan', 1_000_000);
    const sort = node('Incremental Sort', 1_000_000, [scan]);
    expect(keptBy(node('Limit', 100, [sort]))).toEqual({ rows: 100, width: 16 });
    expect(keptBy(sort)).toEqual({ rows: 1_000_000, width: 16 });
  });

  it('are none where the rows of another table are looked up for each', () => {
    const lookedUp = node('Memoize', 1, [node('Index Scan', 1)]);
    const join = node('Nested Loop', 1_000_000, [node('Index Scan', 1_000_000), lookedUp]);
    expect(keptBy(node('Limit', 100, [join]))).toEqual({ rows: 0, width: 0 });
  });

  it('are those of the smaller side of a hash join', () => {
    const hash = node('Hash', 200, [node('Seq Scan', 200)]);
    const join = node('Hash Join', 1_000_000, [node('Index Scan', 1_000_000), hash]);
    expect(keptBy(node('Limit', 100, [join]))).toEqual({ rows: 200, width: 16 });
  });

  it.each(['Hash', 'Materialize', 'Aggregate', 'CTE Scan'])(
    'are those of a node that is not known to keep none: %s',
    (type) => {
      const plan = node('Limit', 100, [node(type, 10, [node('Seq Scan', 5000)])]);
      expect(keptBy(plan)).toMatchObject({ rows: 5000 });
    },
  );
});
