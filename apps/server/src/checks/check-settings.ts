import { type BuiltCatalogue, type Engine, SettingsError } from '@proj/engine';

import { accessErrors } from '../access/check-roles.ts';
import { leftOutLines, reportLines } from './report-lines.ts';
import { declaredKeyErrors } from './declared-keys.ts';
import type { LoadedSettings } from '../settings/load.ts';

const NOTHING_EXPOSED = {
  all: 'models: none is exposed. The database has no table or view that has a unique key.',
  listed:
    'models: none is exposed. List models in the settings file, ' +
    'or pass --expose all to serve every table that has a key.',
} as const;

/**
 * Checks the settings against the database before the service starts.
 *
 * @returns a line for each relation that is left out
 * @throws {SettingsError} naming what does not fit
 */
export async function checkAtStart(engine: Engine, loaded: LoadedSettings): Promise<string[]> {
  const leftOut = checkCatalogue(engine, loaded);
  checkAccess(engine, loaded);
  if (loaded.settings.verify_keys === 'start') await checkDeclaredKeys(engine, loaded);
  return leftOut;
}

/**
 * Checks what the settings ask of a catalogue before it is served: at the start and at each reload.
 *
 * @returns a line for each relation that is left out
 * @throws {SettingsError} naming what the database does not give, or that nothing is exposed.
 */
export function checkCatalogue(
  { catalogue, reports }: BuiltCatalogue,
  { settings, place }: LoadedSettings,
): string[] {
  const wanted = reports.filter((report) => report.listed);
  if (wanted.length > 0) throw new SettingsError(reportLines(wanted, place).join('\n'));
  const leftOut = leftOutLines(reports);
  if (catalogue.size === 0)
    throw new SettingsError([NOTHING_EXPOSED[settings.expose], ...leftOut].join('\n'));
  return leftOut;
}

/**
 * Checks roles and tokens against the catalogue that they are applied with.
 *
 * @throws {SettingsError} naming those that do not fit.
 */
export function checkAccess(
  { catalogue }: Pick<BuiltCatalogue, 'catalogue'>,
  { settings, place }: LoadedSettings,
): void {
  const errors = accessErrors(settings, catalogue);
  if (errors.length > 0) throw new SettingsError(reportLines(errors, place).join('\n'));
}

/**
 * Proves the keys that the settings declare, which reads their relations.
 *
 * @throws {SettingsError} naming those that are not unique, or whose model cannot be read.
 */
async function checkDeclaredKeys(
  engine: Engine,
  { settings, place }: LoadedSettings,
): Promise<void> {
  const errors = await declaredKeyErrors(engine, settings);
  if (errors.length > 0) throw new SettingsError(reportLines(errors, place).join('\n'));
}
