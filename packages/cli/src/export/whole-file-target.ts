import { type FileHandle, rm } from 'node:fs/promises';

import { type ExportRequest, freshState } from './export-state.ts';
import { isPagedFormat, WHOLE_REMEDY } from './formats/formats.ts';
import { finalPath, openPart, publish, refusePart, writeAt } from './part-file.ts';
import { openLocked } from './part-lock.ts';
import type { Target } from './target.ts';

const REMEDY = 'With --paged it is read page by page, and --resume continues after a failure.';

/**
 * Writes `FILE.part`, and renames it to `FILE` once it is whole and on the disk. Otherwise drops
 * it: an export by the service cannot be continued.
 *
 * @param restarts whether a part file of an earlier export may be replaced
 * @throws {UsageError} when the file cannot be one, or a part file exists
 */
export async function wholeFileTarget(
  file: string,
  request: ExportRequest,
  restarts: boolean,
): Promise<Target> {
  const path = await finalPath(file);
  const part = `${path}.part`;
  const { opened: handle, unlock } = await openLocked(path, () => openNew(part, restarts));
  let bytes = 0;
  return {
    state: freshState(request),
    append: async (text) => {
      bytes += (await writeAt(handle, text, bytes)).length;
    },
    note: async () => undefined,
    finish: async () => {
      await publish(handle, part, path);
      await unlock();
    },
    keep: async () => {
      await handle.close();
      await rm(part, { force: true });
      await unlock();
      return `Nothing is kept. ${isPagedFormat(request.format) ? REMEDY : WHOLE_REMEDY}`;
    },
  };
}

async function openNew(part: string, restarts: boolean): Promise<FileHandle> {
  if (!restarts) await refusePart(part);
  // A state that an earlier export left does not fit this file.
  await rm(`${part}.json`, { force: true });
  return openPart(part, 0);
}
