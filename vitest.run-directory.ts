import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'dynamic-query-tests-';

/** Where `os.tmpdir()` looks, on Windows too. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

/**
 * Gives the run a temporary directory of its own, for its workers and the processes that they
 * start. It goes when the run ends, with whatever a killed process has left there.
 */
export default function setUp(): void {
  // The projects of a run share one.
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  const directory = mkdtempSync(join(tmpdir(), PREFIX));
  const templates = join(directory, 'templates');
  mkdirSync(templates);
  // Database servers run under another account.
  chmodSync(directory, 0o755);
  chmodSync(templates, 0o777);
  for (const name of VARIABLES) process.env[name] = directory;
  process.env['TEST_SERVER_TEMPLATES'] = templates;
  process.once('exit', () => {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });
}
