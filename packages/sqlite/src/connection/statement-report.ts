import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { Tracing } from '@proj/engine/database';

/** The statements of one request, with moments of the reader's `performance.now()`. */
export interface StatementReport {
  /** When the reader took the request. */
  readonly takenAt: number;
  readonly statements: readonly Tracing.TracedStatement[];
}

/** Does work in a reader, and reports the statements that it took. */
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

/** Publishes here what a reader has reported: its clock has another origin. */
export function publishReport({ takenAt, statements }: StatementReport, sentAt: number): void {
  const shift = sentAt - takenAt;
  for (const { startedAt, endedAt, ...statement } of statements)
    Tracing.publishStatement({
      ...statement,
      startedAt: startedAt + shift,
      endedAt: endedAt + shift,
    });
}
