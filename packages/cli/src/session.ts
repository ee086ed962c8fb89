import type { Secrets } from './secrets.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface Session {
  readonly terminal: Terminal;
  readonly secrets: Secrets;
}
