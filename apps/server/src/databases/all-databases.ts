import { QueryFailedError, SettingsError } from '@proj/engine';

import { operatorMessage } from '../process/operator-message.ts';
import { type LoadedDatabase, ofDatabase } from '../settings/databases.ts';

/**
 * Makes something of all databases in parallel, or throws all errors together.
 *
 * @param giveUp closes what was made where another one failed
 * @throws {SettingsError} with what is wrong with each database
 * @throws {QueryFailedError} where the only error is that one does not answer
 */
export async function ofAllDatabases<Made>(
  databases: readonly LoadedDatabase[],
  make: (database: LoadedDatabase) => Promise<Made>,
  giveUp: (made: readonly Made[]) => Promise<void>,
): Promise<Made[]> {
  const results = await Promise.allSettled(databases.map(make));
  const made = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failures = results.flatMap((one, at) =>
    one.status === 'rejected' ? [{ name: databases[at]?.name, error: one.reason as unknown }] : [],
  );
  if (failures.length === 0) return made;
  await giveUp(made);
  const whole = failures.find(
    ({ name, error }) => name === undefined || operatorMessage(error) === undefined,
  );
  if (whole !== undefined) throw whole.error;
  const [first] = failures;
  if (first?.error instanceof QueryFailedError && failures.length === 1)
    throw new QueryFailedError(first.error.code, ofDatabase(first.name, first.error.message));
  const lines = failures.map(({ name, error }) => ofDatabase(name, operatorMessage(error) ?? ''));
  throw new SettingsError(lines.join('\n'));
}
