import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { ENGINE_CHANNELS, type TracedStatement } from '@proj/engine';
import { onTestFinished } from 'vitest';

/** The statements that run until the test ends. */
export function followStatements(): TracedStatement[] {
  const statements: TracedStatement[] = [];
  const note = (message: unknown): void => void statements.push(message as TracedStatement);
  subscribe(ENGINE_CHANNELS.statement, note);
  onTestFinished(() => void unsubscribe(ENGINE_CHANNELS.statement, note));
  return statements;
}
