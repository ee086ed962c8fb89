import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Latencies } from '../../load/latencies.ts';
import { runProgram } from '../../processes/program.ts';
import { pageSequence } from '../../load/page-sequence.ts';
import type { Scenario } from '../../scenarios.ts';
import { tableName } from '../../tables/bench-database.ts';
import { mariadbRows } from '../bare/statements.ts';
import type { Outcome } from '../subject.ts';
import type { ToolWork } from './tool-work.ts';

/** As many different statements as the tool is given at most. */
const MOST_STATEMENTS = 500;

/** mariadb-slap, which knows neither prepared statements nor the times of single ones. */
export async function runMariadbSlap(work: ToolWork): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-slap-'));
  try {
    const script = join(folder, 'pages.sql');
    await writeFile(script, scriptOf(work.scenario));
    const output = await runProgram('mariadb-slap', [
      ...loginArguments(work.database.url),
      ...loadArguments(work, script),
    ]);
    return {
      answered: work.amount,
      seconds: secondsOf(output),
      latencies: new Latencies(),
      refused: 0,
      failed: 0,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function loginArguments(url: string): string[] {
  const { hostname, port, username, password, pathname } = new URL(url);
  return [
    '--no-defaults',
    `--host=${hostname}`,
    `--port=${port || '3306'}`,
    `--user=${username}`,
    ...(password === '' ? [] : [`--password=${decodeURIComponent(password)}`]),
    `--create-schema=${pathname.slice(1)}`,
    '--no-drop',
  ];
}

function loadArguments({ connections, amount }: ToolWork, script: string): string[] {
  return [
    `--concurrency=${connections}`,
    `--number-of-queries=${amount}`,
    `--query=${script}`,
    '--delimiter=;',
    '--csv',
  ];
}

function scriptOf(scenario: Scenario): string {
  const pages =
    scenario.pattern === 'repeated'
      ? pageSequence(scenario).slice(0, 1)
      : pageSequence(scenario).slice(0, MOST_STATEMENTS);
  const { rows, size } = scenario;
  return pages
    .map((page) =>
      mariadbRows(tableName(rows), {
        limit: String(size),
        offset: String((page - 1) * size),
      }),
    )
    .join(';\n');
}

/**
 * `,mixed,1.234,1.234,1.234,16,625`: the first number is the average time of a run, and there is
 * one.
 */
function secondsOf(output: string): number {
  const [, , average] = output.trim().split('\n').at(-1)?.split(',') ?? [];
  return Number(average);
}
