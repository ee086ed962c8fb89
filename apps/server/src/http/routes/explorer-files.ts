import { packageFiles, type ProgramFiles } from '../../program-files.ts';
import type { Settings } from '../../settings/schema.ts';

/** The files of the explorer, where the settings want it and it is built. */
export function findExplorer({ explorer }: Pick<Settings, 'explorer'>): ProgramFiles | undefined {
  if (!explorer) return undefined;
  const files = packageFiles('@proj/explorer', 'dist');
  return files.names.length > 0 ? files : undefined;
}

/** Queries need no page, so that one which is not built is worth a warning only. */
export function explorerWarnings(settings: Pick<Settings, 'explorer'>): string[] {
  if (!settings.explorer || findExplorer(settings) !== undefined) return [];
  return ['explorer: it is not built, so that / shows nothing (dist of @proj/explorer).'];
}
