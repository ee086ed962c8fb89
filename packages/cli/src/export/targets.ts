import { type FileHandle, rm, stat } from 'node:fs/promises';

import { UsageError } from '../failure.ts';
import { putText } from '../output/present.ts';
import { type Output, put } from '../terminal/terminal.ts';
import {
  type ExportRequest,
  type ExportState,
  freshState,
  readState,
  writeState,
} from './export-state.ts';
import { isPagedFormat, WHOLE_REMEDY } from './formats.ts';
import { finalPath, openLocked, openPart, publish, refusePart, writeAt } from './part-file.ts';

export interface Target {
  /** Where an earlier run stopped; the beginning for a new export. */
  readonly state: ExportState;
  append(part: string | Uint8Array): Promise<void>;
  /** Marks all that was appended so far as whole pages. */
  note(progress: Pick<ExportState, 'records' | 'position' | 'start'>): Promise<void>;
  finish(): Promise<void>;
  /** @returns what a later run can continue, for a message; empty where nothing is. */
  keep(): Promise<string>;
}

/** By who writes the list. */
const REMEDIES = {
  service: 'Read it page by page instead, with --paged; with -o too, --resume can go on with it.',
  pages: 'To be able to go on after a failure, export to a file with -o.',
} as const;

/** Written output cannot be withdrawn, so only the exit code shows whether it is complete. */
export function stdoutTarget(
  output: Output,
  request: ExportRequest,
  writer: keyof typeof REMEDIES,
): Target {
  return {
    state: freshState(request),
    append: async (part) => {
      if (part.length === 0) return;
      await (typeof part === 'string' ? putText(output, part) : put(output, part));
    },
    note: async () => undefined,
    finish: async () => undefined,
    keep: async () =>
      `The output is cut short. ${isPagedFormat(request.format) ? REMEDIES[writer] : WHOLE_REMEDY}`,
  };
}

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

export interface Continuation {
  readonly resume: boolean;
  readonly restart: boolean;
}

/** A crash of the machine costs at most what was read in this time. */
const CHECKPOINT_MS = 1000;

/**
 * Writes `FILE.part`, and renames it to `FILE` once it is whole and on the disk. `FILE.part.json`
 * holds its progress.
 *
 * @throws {UsageError} when the file cannot be one, another export writes it, or a part file exists
 *   and no flag says what to do with it.
 */
export async function fileTarget(
  file: string,
  request: ExportRequest,
  continuation: Continuation,
): Promise<Target> {
  const path = await finalPath(file);
  const part = `${path}.part`;
  const stateFile = `${part}.json`;
  const { opened, unlock } = await openLocked(path, () =>
    openPrevious(part, request, continuation),
  );
  const { state, handle } = opened;
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
      const isFirst = current.start === null;
      current = { ...current, ...progress, bytes };
      // Saves early, so that a killed process can be continued.
      if (isFirst || performance.now() - savedAt >= CHECKPOINT_MS) await save();
    },
    finish: async () => {
      await publish(handle, part, path);
      await rm(stateFile, { force: true });
      await unlock();
    },
    keep: async () => {
      const isEmpty = current.start === null;
      // Where the disk is full, the last checkpoint stands.
      if (!isEmpty) await save().catch(() => undefined);
      await handle.close();
      if (isEmpty) await Promise.all([part, stateFile].map((one) => rm(one, { force: true })));
      await unlock();
      if (isEmpty) return '';
      return `${part} is kept. Go on with the same command and --resume.`;
    },
  };
}

/** Ready to be written behind its whole pages. */
interface Previous {
  readonly state: ExportState;
  readonly handle: FileHandle;
}

async function openPrevious(
  part: string,
  request: ExportRequest,
  continuation: Continuation,
): Promise<Previous> {
  const state = await startingState(part, request, continuation);
  return { state, handle: await openPart(part, state.bytes) };
}

async function startingState(
  part: string,
  request: ExportRequest,
  { resume, restart }: Continuation,
): Promise<ExportState> {
  const found = await stat(part).catch(() => undefined);
  if (found === undefined || restart) return freshState(request);
  if (!resume) await refusePart(part);
  // It was killed before its first checkpoint.
  if (found.size === 0) return freshState(request);
  const state = await readState(`${part}.json`, request);
  if (found.size >= state.bytes) return state;
  throw new UsageError(`--resume: ${part} is shorter than it was. Begin again with --restart.`);
}
