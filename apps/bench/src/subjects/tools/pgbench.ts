import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Latencies } from '../../load/latencies.ts';
import { runProgram } from '../../processes/program.ts';
import { pageRange } from '../../load/page-sequence.ts';
import type { Scenario } from '../../scenarios.ts';
import { tableName } from '../../tables/bench-database.ts';
import { postgresRows } from '../bare/statements.ts';
import type { Outcome } from '../subject.ts';
import type { ToolWork } from './tool-work.ts';

/** pgbench with prepared statements and one client for each connection of the load. */
export async function runPgbench({
  database,
  scenario,
  connections,
  amount,
}: ToolWork): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-pgbench-'));
  try {
    const script = join(folder, 'page.sql');
    await writeFile(script, scriptOf(scenario));
    const each = Math.max(1, Math.round(amount / connections));
    const output = await runProgram('pgbench', [
      ...loadArguments(connections, each, script),
      '--log',
      `--log-prefix=${join(folder, 'log')}`,
      database.url,
    ]);
    return outcomeOf(output, await readLogs(folder), each * connections);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function outcomeOf(output: string, latencies: Latencies, asked: number): Outcome {
  const rate = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  const answered = latencies.total;
  return { answered, seconds: answered / rate, latencies, refused: 0, failed: asked - answered };
}

function loadArguments(clients: number, transactions: number, script: string): string[] {
  return [
    '--no-vacuum',
    '--protocol=prepared',
    `--client=${clients}`,
    '--jobs=2',
    `--transactions=${transactions}`,
    `--file=${script}`,
  ];
}

function scriptOf(scenario: Scenario): string {
  const { from, to } = pageRange(scenario);
  const statement = postgresRows(tableName(scenario.rows), String(scenario.size), ':offset');
  return `\\set offset (random(${from}, ${to}) - 1) * ${scenario.size}\n${statement};\n`;
}

/**
 * A line of the log holds the client, the number of the transaction and its time in microseconds.
 */
async function readLogs(folder: string): Promise<Latencies> {
  const latencies = new Latencies();
  const files = (await readdir(folder)).filter((name) => name.startsWith('log'));
  for (const file of files) {
    const lines = (await readFile(join(folder, file), 'utf8')).trim().split('\n');
    for (const line of lines) latencies.record(Number(line.split(' ')[2]) / 1000);
  }
  return latencies;
}
