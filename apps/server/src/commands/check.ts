import { openEngine, SettingsError } from '@proj/engine';

import { accessErrors } from '../access/check-roles.ts';
import { declaredKeyErrors } from '../checks/declared-keys.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { leftOutLines, reportLines } from '../checks/report-lines.ts';

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
  { settings, place }: LoadedSettings,
  { verbose = false }: CheckOptions = {},
): Promise<void> {
  const engine = await openEngine(engineSettings(settings));
  try {
    const errors = [
      ...engine.reports.filter((report) => report.listed),
      ...(await declaredKeyErrors(engine, settings)),
      ...accessErrors(settings, engine.catalogue),
    ];
    if (errors.length > 0) throw new SettingsError(reportLines(errors, place).join('\n'));
    const leftOut = verbose
      ? engine.reports.flatMap((report) => leftOutLines([report]))
      : leftOutLines(engine.reports);
    for (const line of leftOut) process.stdout.write(`${line}\n`);
    for (const warning of await engine.warnings()) process.stdout.write(`warning: ${warning}\n`);
    process.stdout.write(`No errors. Models: ${[...engine.catalogue.keys()].join(', ')}\n`);
  } finally {
    await engine.close();
  }
}
