import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { Tracing } from '@proj/engine/database';

/** Times are those of the reader's `performance.now()`. */
export interface StatementReport {
  readonly takenAt: number;
  readonly statements: readonly Tracing.TracedStatement[];
}

export async function reportStatements<Value>(
  work: () => Promise<Value>,
): Promise<Value & { readonly report: StatementReport }> {
  const takenAt = performance.now();
  const statements: Tracing.TracedStatement[] = [];
  const note = (statement: unknown): void =>
    void statements.push(statement as Tracing.TracedStatement);
  subscribe(Tracing.ENGINE_CHANNELS.statement, note);
  try {
    return { ...(await work()), report: { takenAt, statements } };
  } finally {
    unsubscribe(Tracing.ENGINE_CHANNELS.statement, note);
  }
}

export function publishReport({ takenAt, statements }: StatementReport, sentAt: number): void {
  const shift = sentAt - takenAt;
  for (const { startedAt, endedAt, ...statement } of statements)
    Tracing.publishStatement({
      ...statement,
      startedAt: startedAt + shift,
      endedAt: endedAt + shift,
    });
}
