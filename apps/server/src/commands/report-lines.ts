import type { AccessFault } from '../access/check-roles.ts';
import type { LoadedSettings } from '../settings/load.ts';

/** One line for each report: its place, what is wrong, what to do. */
export function reportLines(reports: readonly AccessFault[], place: LoadedSettings['place']): string[] {
  return reports.map(({ path, problem, remedy }) => `${place(path)}${path.join('.')}: ${problem} ${remedy}`);
}
