import { type RunningService, startService } from '@proj/test-servers';

import { programPath } from '../support/program-path.ts';
import { TOKEN } from '../support/service.ts';

interface ServiceOptions {
  /** Arguments of the command; none for the demo. */
  readonly args?: readonly string[];
  readonly port?: number;
  readonly token?: string;
}

const START = programPath('@proj/demo', 'dist/start.js');

/** Starts the demo, or the service with other arguments, and waits until it answers. */
export async function startDemo({
  args = [],
  port,
  token = TOKEN,
}: ServiceOptions = {}): Promise<RunningService> {
  const env = token === '' ? {} : { DYNAMIC_QUERY_ADMIN_TOKEN: token };
  return startService([process.execPath, START, 'serve', '--log-level', 'silent', ...args], {
    env,
    ...(port !== undefined && { port }),
  });
}
