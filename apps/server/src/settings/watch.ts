import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Editors write a file in several steps, and a mounted folder is swapped in several more. */
const SETTLED_AFTER_MS = 200;

/**
 * Calls back when the settings may have changed: on SIGHUP, and when something happens in the file's folder. The folder is watched rather
 * than the file, because most programs put a new file in the old one's place.
 *
 * @returns a function that ends the watch.
 */
export function watchSettings(path: string | undefined, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLED_AFTER_MS);
  };
  process.on('SIGHUP', changed);
  const watcher = path === undefined ? undefined : watchFolder(dirname(path), settle);
  return () => {
    clearTimeout(timer);
    process.off('SIGHUP', changed);
    watcher?.close();
  };
}

function watchFolder(folder: string, settle: () => void): FSWatcher {
  const watcher = watch(folder, { persistent: false }, settle);
  // A folder that goes away, or a system without watches: SIGHUP still works.
  watcher.on('error', () => watcher.close());
  return watcher;
}
