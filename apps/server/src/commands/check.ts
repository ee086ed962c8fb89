import { openEngine, SettingsError } from '@proj/engine';

import { accessFaults } from '../access/check-roles.ts';
import { declaredKeyFaults } from '../declared-keys.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { reportLines } from './report-lines.ts';

/** `dynamic-query check`: holds the settings against the database and names every fault with its place and a remedy. */
export async function check({ settings, place }: LoadedSettings): Promise<void> {
  const engine = await openEngine(engineSettings(settings));
  try {
    const faults = [
      ...engine.reports.filter((report) => report.listed),
      ...(await declaredKeyFaults(engine, settings)),
      ...accessFaults(settings, engine.catalogue),
    ];
    if (faults.length > 0) throw new SettingsError(reportLines(faults, place).join('\n'));
    for (const line of reportLines(engine.reports, place)) process.stdout.write(`left out: ${line}\n`);
    for (const warning of await engine.warnings()) process.stdout.write(`warning: ${warning}\n`);
    process.stdout.write(`No fault. Models: ${[...engine.catalogue.keys()].join(', ')}\n`);
  } finally {
    await engine.close();
  }
}
