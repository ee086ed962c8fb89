import type { BuiltCatalogue, Engine } from '@proj/engine';
import type { KnownModels } from '@proj/fastify/settings';

import { accessErrors } from '../access/check-access.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { declaredKeyErrors } from './declared-keys.ts';
import { demand, type Findings } from './findings.ts';
import { approximateLines, cutLines, leftOutLines, reportLines } from './report-lines.ts';

const NOTHING_EXPOSED = {
  all: 'models: none is exposed. The database has no table or view that has a unique key.',
  listed:
    'models: none is exposed. List models in the settings file, ' +
    'or pass --expose all to serve every table that has a key.',
} as const;

/**
 * What the database does not give, or that nothing is exposed; and lines about relations that are
 * left out, and about those whose replies are approximate.
 *
 * @param verbose whether each relation that is left out has a line of its own
 */
export function catalogueFindings(
  { catalogue, reports }: BuiltCatalogue,
  { settings, place }: LoadedSettings,
  verbose = false,
): Findings {
  const wanted = reports.filter((report) => report.listed);
  if (wanted.length > 0) return { errors: reportLines(wanted, place), notes: [] };
  const leftOut = verbose
    ? reports.flatMap((report) => leftOutLines([report]))
    : leftOutLines(reports);
  if (catalogue.size === 0)
    return { errors: [NOTHING_EXPOSED[settings.expose], ...leftOut], notes: [] };
  return {
    errors: [],
    notes: [...leftOut, ...approximateLines(catalogue), ...cutLines(catalogue)],
  };
}

/** Roles and tokens that do not fit the models, except those that are reported as left out. */
export function accessFindings(
  known: KnownModels & Partial<Pick<Engine, 'reports'>>,
  { settings, place }: LoadedSettings,
): Findings {
  const { reports = [] } = known;
  const leftOut = new Set(reports.flatMap(({ listed, model }) => (listed ? model : [])));
  const errors = accessErrors(settings, known).filter(
    ({ path: [group, , member, model = '', ...below] }) =>
      !(group === 'roles' && member === 'models' && below.length === 0 && leftOut.has(model)),
  );
  return { errors: reportLines(errors, place), notes: [] };
}

/** @throws {SettingsError} as {@link accessFindings} */
export function checkAccess(known: KnownModels, loaded: LoadedSettings): void {
  demand(accessFindings(known, loaded));
}

/** Keys that are not unique, or whose model cannot be read. */
export async function declaredKeyFindings(
  engine: Engine,
  { settings, place }: LoadedSettings,
): Promise<Findings> {
  return { errors: reportLines(await declaredKeyErrors(engine, settings), place), notes: [] };
}
