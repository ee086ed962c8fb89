import type { Client } from 'pg';

/** The process that serves a connection, as the server or a pooler says. */
export function processIdOf(client: Client): number {
  const { processID } = client as Client & { processID: number | null };
  return processID ?? 0;
}
