import type { Secrets } from '../terminal/secrets.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What every command is given. */
export interface Session {
  readonly terminal: Terminal;
  readonly secrets: Secrets;
}
