import { rm } from 'node:fs/promises';

import { type ExportRequest, freshState } from './export-state.ts';
import { finalPath, openPart, publish, refusePart, writeAt } from './part-file.ts';
import type { Target } from './target.ts';

const REMEDY = 'Run the command again, or with --paged, which --resume can go on with.';

/**
 * Writes `FILE.part`, and renames it to `FILE` once it is whole and on the disk. Nothing of it is
 * kept otherwise: an export by the service cannot be continued.
 *
 * @param restarts whether a part file of an earlier export may be replaced
 * @throws {UsageError} when the file cannot be one, or a part file is there
 */
export async function wholeFileTarget(
  file: string,
  request: ExportRequest,
  restarts: boolean,
): Promise<Target> {
  const path = await finalPath(file);
  const part = `${path}.part`;
  if (restarts) await rm(`${part}.json`, { force: true });
  else await refusePart(part);
  const handle = await openPart(part, 0);
  let bytes = 0;
  return {
    state: freshState(request),
    append: async (text) => {
      bytes += (await writeAt(handle, text, bytes)).length;
    },
    note: async () => undefined,
    finish: () => publish(handle, part, path),
    keep: async () => {
      await handle.close();
      await rm(part, { force: true });
      return `Nothing is kept. ${REMEDY}`;
    },
  };
}
