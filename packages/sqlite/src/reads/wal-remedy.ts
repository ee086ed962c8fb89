import { accessSync, closeSync, constants, openSync, readSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** How to read the file: https://sqlite.org/fileformat.html#file_format_version_numbers */
const READ_VERSION_OFFSET = 19;
const WAL = 2;

/** Call it while no connection is open: closing the file drops all locks of the process on it. */
export function describeWalRemedy(path: string): string | undefined {
  try {
    const database = realpathSync(path);
    const folder = dirname(database);
    if (isWritable(folder) || !isInWalMode(database)) return undefined;
    return (
      `${path} is in WAL mode, so that reading it needs the files ${database}-wal and ` +
      '-shm, which this process may not make in ' +
      `${folder}. Either let the user of this process write to the folder, ` +
      'or take the database out of WAL mode with ' +
      `\`sqlite3 ${path} 'pragma journal_mode=delete'\`, ` +
      'or serve a copy in a folder that the user may write to.'
    );
  } catch {
    return undefined;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isInWalMode(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const version = Buffer.alloc(1);
    readSync(file, version, 0, 1, READ_VERSION_OFFSET);
    return version[0] === WAL;
  } finally {
    closeSync(file);
  }
}
