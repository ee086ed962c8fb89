import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { FailedError, UsageError } from '../failure.ts';
import {
  type ExportRequest,
  type ExportState,
  freshState,
  readState,
  writeState,
} from './export-state.ts';
import type { Target } from './target.ts';

/** What to do with the part file of an interrupted export. */
export interface Continuation {
  readonly resume: boolean;
  readonly restart: boolean;
}

/** A crash of the machine costs at most what was read in this time. */
const CHECKPOINT_MS = 1000;

/**
 * Writes `FILE.part`, and renames it to `FILE` once it is whole and on the disk. `FILE.part.json`
 * says how far it is.
 *
 * @throws {UsageError} when the file cannot be one, or a part file is there and nothing is said
 *   about it.
 */
export async function fileTarget(
  file: string,
  request: ExportRequest,
  continuation: Continuation,
): Promise<Target> {
  const path = await finalPath(file);
  const part = `${path}.part`;
  const stateFile = `${part}.json`;
  const state = await startingState(part, request, continuation);
  const handle = await openPart(part, state);
  let current = state;
  let bytes = state.bytes;
  let savedAt = performance.now();

  const save = async (): Promise<void> => {
    await handle.datasync();
    await writeState(stateFile, current);
    savedAt = performance.now();
  };
  await save();
  return {
    state,
    append: async (text) => {
      const { length } = await writeAt(handle, text, bytes);
      bytes += length;
    },
    note: async (progress) => {
      current = { ...current, ...progress, bytes };
      if (performance.now() - savedAt >= CHECKPOINT_MS) await save();
    },
    finish: async () => {
      await publish(handle, part, path);
      await rm(stateFile, { force: true });
    },
    keep: async () => {
      try {
        await save();
      } finally {
        await handle.close();
      }
      return `${part} is kept. Go on with the same command and --resume.`;
    },
  };
}

/**
 * The file behind a symbolic link, which a rename would replace. Only a regular file can be
 * replaced in one step.
 */
async function finalPath(file: string): Promise<string> {
  const path = await realpath(file).catch(() => file);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return path;
  throw new UsageError(
    `--output: ${file} is not a regular file. Name a file, or leave --output out to write to ` +
      'standard output.',
  );
}

async function startingState(
  part: string,
  request: ExportRequest,
  { resume, restart }: Continuation,
): Promise<ExportState> {
  const found = await stat(part).catch(() => undefined);
  if (found === undefined || restart) return freshState(request);
  if (!resume) {
    throw new UsageError(
      `${part} belongs to an export that was interrupted or still runs. Add --resume to go ` +
        'on, or --restart.',
    );
  }
  const state = await readState(`${part}.json`, request);
  if (found.size >= state.bytes) return state;
  throw new UsageError(`--resume: ${part} is shorter than it was. Begin again with --restart.`);
}

async function openPart(part: string, { bytes }: ExportState): Promise<FileHandle> {
  const handle = await open(part, bytes === 0 ? 'w' : 'r+').catch(
    (error: NodeJS.ErrnoException) => {
      throw new FailedError(
        `${part} cannot be written (${error.code ?? error.message}). Check the directory and ` +
          'its permissions.',
      );
    },
  );
  await handle.truncate(bytes);
  return handle;
}

async function writeAt(handle: FileHandle, text: string, position: number): Promise<Buffer> {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
  return bytes;
}

/** The content is on the disk before the name: after a crash the file is whole or not there. */
async function publish(handle: FileHandle, part: string, path: string): Promise<void> {
  await handle.sync();
  await handle.close();
  await rename(part, path);
  await syncDirectory(dirname(path));
}

/** The new name is on the disk only once its directory is; not every system opens directories. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
