import { describe, expect, it } from 'vitest';

import { indexConditions, keptRows } from './kept-rows.ts';

/** A node of a plan. */
function node(type: string, rows: number, inputs: readonly object[] = []): object {
  return { 'Node Type': type, 'Plan Rows': rows, 'Plan Width': 16, Plans: inputs };
}

function keptBy(plan: object): { rows: number; width: number } {
  return keptRows(JSON.stringify([{ Plan: plan }]));
}

/** Of eight tasks one is shown, which answers ten rows; Citus counts with 100,000 always. */
function tasksOf(task: object): object {
  return {
    ...node('Custom Scan', 100_000),
    'Distributed Query': {
      Job: { 'Task Count': 8, Tasks: [{ 'Remote Plan': [[{ Plan: task }]] }] },
    },
  };
}

/** The same in order, ten rows of it. */
const sorted = (task: object): object =>
  node('Limit', 10, [node('Sort', 100_000, [tasksOf(task)])]);

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

  describe('of a statement that Citus divides into tasks', () => {
    it('are as many as the limit lets through where the tasks answer in order', () => {
      const task = node('Limit', 10, [node('Index Scan', 125_000)]);
      expect(keptBy(sorted(task))).toEqual({ rows: 10, width: 16 });
    });

    it('are what all tasks answer where no limit is above', () => {
      expect(keptBy(node('Sort', 100_000, [tasksOf(node('Seq Scan', 50))]))).toMatchObject({
        rows: 400,
      });
    });

    it('are those that a task sorts', () => {
      const task = node('Limit', 10, [node('Sort', 125_000, [node('Seq Scan', 125_000)])]);
      expect(keptBy(sorted(task))).toEqual({ rows: 125_000, width: 16 });
    });

    it('are what Citus counts with where it shows no task', () => {
      const unshown = { ...node('Custom Scan', 100_000), 'Distributed Query': { Job: {} } };
      expect(keptBy(node('Limit', 10, [unshown]))).toEqual({ rows: 100_000, width: 16 });
    });

    it('have conditions by which the indexes of a task are searched', () => {
      const plan = tasksOf({ ...node('Index Scan', 10), 'Index Cond': '(id >= 5)' });
      expect(indexConditions(JSON.stringify([{ Plan: plan }]))).toEqual(['(id >= 5)']);
    });
  });
});
