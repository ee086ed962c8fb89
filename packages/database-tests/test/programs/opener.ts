import { readRelations } from '@proj/engine';

import { DATABASE_KINDS } from '../kinds.ts';

/**
 * Reads what the databases at the arguments hold, and prints `opened` or the message of the error,
 * each in a line.
 */

for (const url of process.argv.slice(2)) {
  try {
    await readRelations(url, DATABASE_KINDS);
    console.log('opened');
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
}
