/**
 * Reads what the database at the first argument holds, and prints `opened` or the message of the
 * error.
 */
import { readRelations } from '../../src/index.ts';

try {
  await readRelations(process.argv[2] ?? '');
  console.log('opened');
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
}
