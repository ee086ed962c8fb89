import { nameText } from '@proj/contract';
import { type Engine, type ReplicaFault, type ReplicaReport, SettingsError } from '@proj/engine';

import type { LoadedSettings } from '../settings/file/load.ts';
import type { Findings } from './findings.ts';

const REMEDIES: Partial<Record<ReplicaFault, string>> = {
  unreachable: 'Reads go to the primary until it answers.',
  lagging: 'Reads go to the primary until it has caught up.',
  not_a_replica:
    'Name a streaming standby of PostgreSQL, or a replica of MariaDB with `read_only = 1`.',
  other_cluster: 'Name a replica of the server that `database` leads to.',
  other_timeline:
    'It is read from once it follows; `grant pg_read_all_stats to …` lets the service see it.',
  ahead: 'Build it anew from the server that `database` leads to.',
  unsuitable: 'Take it out of `replicas`.',
};

/** Faults that do not pass. */
const MISTAKES: ReadonlySet<ReplicaFault> = new Set(['other_cluster', 'unsuitable']);

/** Faults that may well be gone in a moment. */
const PASSING: ReadonlySet<ReplicaFault> = new Set(['starting', 'unreachable', 'lagging']);

/** Checks that each replica is one of the database, and has its models. */
export async function replicaFindings(
  engine: Pick<Engine, 'replicaReport'>,
  loaded: LoadedSettings,
): Promise<Findings> {
  const reports = await engine.replicaReport();
  const lines = reports.flatMap((report, index) => {
    const isPassing = report.problem === undefined || PASSING.has(report.problem.fault);
    return linesOf(report, placeOf(loaded, index)).map((line, at) => ({
      line,
      isNote: isPassing && at === 0 && report.problem !== undefined,
    }));
  });
  return {
    errors: lines.flatMap(({ line, isNote }) => (isNote ? [] : [line])),
    notes: lines.flatMap(({ line, isNote }) => (isNote ? [line] : [])),
  };
}

/** @throws {SettingsError} when a replica is one of another database; others may recover */
export async function replicaWarnings(
  engine: Pick<Engine, 'replicaReport'>,
  loaded: LoadedSettings,
): Promise<string[]> {
  const reports = await engine.replicaReport();
  const mistakes = reports.flatMap((report, index) =>
    report.problem !== undefined && MISTAKES.has(report.problem.fault)
      ? linesOf(report, placeOf(loaded, index))
      : [],
  );
  if (mistakes.length > 0) throw new SettingsError(mistakes.join('\n'));
  return reports.flatMap((report, index) => linesOf(report, `replicas.${index}`));
}

function linesOf({ name, problem, models }: ReplicaReport, place: string): string[] {
  const found =
    problem === undefined
      ? []
      : [`${place}: ${name}: ${problem.message} ${REMEDIES[problem.fault] ?? ''}`.trim()];
  return [...found, ...models.map((one) => `${place}: ${name}: ${modelLine(one)}`)];
}

function modelLine({ model, reason }: ReplicaReport['models'][number]): string {
  const what =
    reason === '' ? 'Its columns or its key are others than those of `database`.' : reason;
  return `the model ${nameText(model)} cannot be read there as from \`database\`: ${what}`;
}

function placeOf({ settings: { replicas }, place }: LoadedSettings, index: number): string {
  const path = Array.isArray(replicas)
    ? ['replicas', String(index)]
    : ['replicas', 'urls', String(index)];
  return `${place(path)}${path.join('.')}`;
}
