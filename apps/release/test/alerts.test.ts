import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { freePort, startProgram, until } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);

const RULES = fileURLToPath(new URL('../../../deploy/prometheus', import.meta.url));
const SERVER = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));

const isInstalled = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What promtool prints, whether it is content or not. */
async function promtool(args: readonly string[], input = ''): Promise<string> {
  const running = run('promtool', args, { cwd: RULES });
  running.child.stdin?.end(input);
  const { stdout, stderr } = await running.catch((error: unknown) => error as Printed);
  return stdout + stderr;
}

/** The metrics of a new service, as Prometheus reads them. */
async function metricsOfService(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-alerts-'));
  const file = join(folder, 'shop.db');
  const database = new DatabaseSync(file);
  database.exec('create table orders (id integer primary key)');
  database.close();
  const [port, metricsPort] = [await freePort(), await freePort()];
  const args = [SERVER, 'serve', '--database', `sqlite:${file}`, '--expose', 'all'];
  const env = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const program = startProgram(process.execPath, args, env);
  onTestFinished(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${metricsPort}/metrics`;
  await until(async () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined);
  return (await fetch(url)).text();
}

describe.skipIf(!isInstalled && !process.env['CI'])('promtool, where it is installed,', () => {
  it('takes the alert rules', async () => {
    expect(await promtool(['check', 'rules', 'alerts.yml'])).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('sees each alert raised when it should be, and at no other time', async () => {
    expect(await promtool(['test', 'rules', 'alerts.test.yml'])).toMatch(/SUCCESS\s*$/);
  });

  it('has no complaint about the names and texts of the metrics', async () => {
    const complaints = await promtool(['check', 'metrics'], await metricsOfService());
    // Those of the process are as the client library for Node names them.
    const own = complaints.split('\n').filter((line) => /^(http|dynamic_query)_/.test(line));
    expect(own).toEqual([]);
    expect(complaints).not.toContain('error while linting');
  });
});
