import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, type RunningProgram, startProgram, until } from '@proj/test-servers';

import { ROOT } from '../repository.ts';
import { environmentOf } from '../support/unit-file.ts';

const MAIN = join(ROOT, 'apps/server/dist/main.js');

/** The token of a role whose queries replicas may answer. */
export const ANALYST = 'analyst';

/** The token of a role that the primary answers. */
export const CLERK = 'clerk';

const TOKENS = [ANALYST, CLERK].map(
  (name) => `  - { name: ${name}, role: ${name}, sha256: ${sha256(name)} }\n`,
);

const ROLES = `
expose: all
roles:
  analyst: { models: all, replicas: allowed }
  clerk: { models: all }
tokens:
${TOKENS.join('')}`;

/** A service that runs as a process of its own. */
export interface Service extends RunningProgram {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The sum of the samples of a metric, by its name, or one of them by its name and labels. */
  readonly metric: (name: string) => Promise<number>;
}

/**
 * Starts the service with settings beside those of the roles, and with the options of Node that the
 * unit of systemd has, and waits until it answers.
 */
export async function startService(settings: string, port?: number): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-service-'));
  const file = join(folder, 'dynamic-query.yaml');
  const metricsPort = await freePort();
  const own = port ?? (await freePort());
  const text = `${settings}\nport: ${own}\nmetrics: { port: ${metricsPort} }\n${ROLES}`;
  await writeFile(file, text, { mode: 0o600 });
  const { NODE_OPTIONS = '' } = environmentOf('');
  const args = [MAIN, 'serve', '--config', file];
  const program = startProgram(process.execPath, args, { NODE_OPTIONS });
  const hasEnded = (): boolean => program.child.exitCode !== null;
  await until(() => hasEnded() || program.output().includes('Dynamic Query answers at'));
  if (hasEnded()) throw new Error(`The service did not start: ${program.output()}`);
  await rm(folder, { recursive: true });
  const metric = (name: string): Promise<number> => readMetric(metricsPort, name);
  return { ...program, port: own, origin: `http://127.0.0.1:${own}`, metric };
}

async function readMetric(port: number, name: string): Promise<number> {
  const lines = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n');
  const samples = lines.filter(
    (line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)),
  );
  return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
