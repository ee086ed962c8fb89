import type { Secrets } from '../terminal/secrets.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface Session {
  readonly terminal: Terminal;
  readonly secrets: Secrets;
}
