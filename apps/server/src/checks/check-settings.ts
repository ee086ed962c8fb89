import { type BuiltCatalogue, type Engine, SettingsError } from '@proj/engine';
import type { KnownModels } from '@proj/fastify/settings';

import { accessErrors } from '../access/check-access.ts';
import { approximateLines, cutLines, leftOutLines, reportLines } from './report-lines.ts';
import { declaredKeyErrors } from './declared-keys.ts';
import type { LoadedSettings } from '../settings/file/load.ts';

const NOTHING_EXPOSED = {
  all: 'models: none is exposed. The database has no table or view that has a unique key.',
  listed:
    'models: none is exposed. List models in the settings file, ' +
    'or pass --expose all to serve every table that has a key.',
} as const;

/**
 * Checks settings against a catalogue at the start and at each reload.
 *
 * @param verbose whether each relation that is left out has a line of its own
 * @returns lines about relations that are left out, and about those whose replies are approximate
 * @throws {SettingsError} naming what the database does not give, or that nothing is exposed.
 */
export function checkCatalogue(
  { catalogue, reports }: BuiltCatalogue,
  { settings, place }: LoadedSettings,
  verbose = false,
): string[] {
  const wanted = reports.filter((report) => report.listed);
  if (wanted.length > 0) throw new SettingsError(reportLines(wanted, place).join('\n'));
  const leftOut = verbose
    ? reports.flatMap((report) => leftOutLines([report]))
    : leftOutLines(reports);
  if (catalogue.size === 0)
    throw new SettingsError([NOTHING_EXPOSED[settings.expose], ...leftOut].join('\n'));
  return [...leftOut, ...approximateLines(catalogue), ...cutLines(catalogue)];
}

/** @throws {SettingsError} naming roles and tokens that do not fit the models */
export function checkAccess(known: KnownModels, { settings, place }: LoadedSettings): void {
  const errors = accessErrors(settings, known);
  if (errors.length > 0) throw new SettingsError(reportLines(errors, place).join('\n'));
}

/** @throws {SettingsError} naming keys that are not unique, or whose model cannot be read */
export async function checkDeclaredKeys(
  engine: Engine,
  { settings, place }: LoadedSettings,
): Promise<void> {
  const errors = await declaredKeyErrors(engine, settings);
  if (errors.length > 0) throw new SettingsError(reportLines(errors, place).join('\n'));
}
