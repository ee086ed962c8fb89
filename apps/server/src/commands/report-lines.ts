import type { CatalogueReport } from '@proj/engine';

import type { LoadedSettings } from '../settings/load.ts';

/** One line for each report: its place, what is wrong, what to do. */
export function reportLines(reports: readonly CatalogueReport[], place: LoadedSettings['place']): string[] {
  return reports.map(({ path, problem, remedy }) => `${place(path)}${path.join('.')}: ${problem} ${remedy}`);
}
