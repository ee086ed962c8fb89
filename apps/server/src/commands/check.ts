import { type CatalogueReport, openEngine, SettingsError } from '@proj/engine';

import { accessErrors, type AccessSettingsError } from '../access/check-roles.ts';
import { declaredKeyErrors } from '../checks/declared-keys.ts';
import { exportNotes } from '../checks/exports.ts';
import { followFindings } from '../checks/follow.ts';
import { replicaFindings } from '../checks/replicas.ts';
import { workerNotes } from '../checks/workers.ts';
import { explorerWarnings } from '../http/routes/explorer-files.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { workersOf } from '../settings/workers.ts';
import { leftOutLines, reportLines, unversionedLines } from '../checks/report-lines.ts';

/** What `check` is asked for. */
export interface CheckOptions {
  /**
   * Whether each relation that is left out has a line of its own, with its remedy. Default: one
   * line for each reason.
   */
  readonly verbose?: boolean;
}

/**
 * `dynamic-query check`: checks the settings against the database and lists every error with its
 * place and a remedy.
 */
export async function check(
  loaded: LoadedSettings,
  { verbose = false }: CheckOptions = {},
): Promise<void> {
  const { settings, place } = loaded;
  const engine = await openEngine(engineSettings(settings, { workers: workersOf(settings) }));
  try {
    const reports = engine.reports.filter((report) => report.listed);
    const errors = [
      ...reports,
      ...(await declaredKeyErrors(engine, settings)),
      ...accessErrors(settings, engine.catalogue).filter((error) => !isConsequence(error, reports)),
    ];
    const follow = await followFindings(engine, loaded);
    const replicas = await replicaFindings(engine, loaded);
    const warned = replicas.notes.map((note) => `warning: ${note}`);
    const explorer = explorerWarnings(loaded).map((warning) => `warning: ${warning}`);
    printLines([...workerNotes(settings), ...follow.notes, ...warned, ...explorer]);
    const lines = [...reportLines(errors, place), ...follow.errors, ...replicas.errors];
    if (lines.length > 0) throw new SettingsError(lines.join('\n'));
    const leftOut = verbose
      ? engine.reports.flatMap((report) => leftOutLines([report]))
      : leftOutLines(engine.reports);
    const warnings = (await engine.warnings()).map((warning) => `warning: ${warning}`);
    const unversioned = unversionedLines(engine.catalogue, verbose);
    printLines([...leftOut, ...unversioned, ...exportNotes(engine, settings), ...warnings]);
    printLines([`No errors. Models: ${[...engine.catalogue.keys()].join(', ')}`]);
  } finally {
    await engine.close();
  }
}

/** Whether a role only names a model that is left out for an error of its own. */
function isConsequence(
  { path: [member, , grants, model, ...rest] }: AccessSettingsError,
  reports: readonly CatalogueReport[],
): boolean {
  const isModelOfRole = member === 'roles' && grants === 'models' && rest.length === 0;
  return isModelOfRole && reports.some((report) => report.model === model);
}

function printLines(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
