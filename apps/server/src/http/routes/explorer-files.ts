import type { ProgramFiles } from '@proj/fastify/host';

import { packageFiles } from '../../process/program-files.ts';
import type { LoadedSettings } from '../../settings/file/load.ts';
import type { Settings } from '../../settings/schema.ts';
import { brandedFiles } from './explorer-branding.ts';

/** @throws {SettingsError} when the logo cannot be shown; undefined unless wanted and built */
export function findExplorer(
  { explorer, branding }: Pick<Settings, 'explorer' | 'branding'>,
  place = '',
): ProgramFiles | undefined {
  if (!explorer) return undefined;
  const files = packageFiles('@proj/explorer', 'dist');
  return files.names.length > 0 ? brandedFiles(files, branding, place) : undefined;
}

/** Queries need no page, so a missing build is only worth a warning. */
export function explorerWarnings({
  settings,
  place,
}: Pick<LoadedSettings, 'settings' | 'place'>): string[] {
  const isFound = findExplorer(settings, place(['branding', 'logo'])) !== undefined;
  if (!settings.explorer || isFound) return [];
  return ['explorer: it is not built, so that / shows nothing (dist of @proj/explorer).'];
}
