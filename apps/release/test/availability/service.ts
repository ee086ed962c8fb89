import { createHash } from 'node:crypto';

import { freePort } from '@proj/test-servers';

import { type Service as Started, startService as start } from '../support/service.ts';

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
export interface Service extends Started {
  /** The sum of the samples of a metric, by its name, or one of them by its name and labels. */
  readonly metric: (name: string) => Promise<number>;
}

/**
 * Starts the service with settings beside those of the roles, and waits until it answers.
 */
export async function startService(settings: string, port?: number): Promise<Service> {
  const metricsPort = await freePort();
  const text = `${settings}\nmetrics: { port: ${metricsPort} }\n${ROLES}`;
  const service = await start({ settings: text, ...(port && { port }) });
  return { ...service, metric: (name) => readMetric(metricsPort, name) };
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
