import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { SettingsError } from '@proj/engine';
import type { Logger } from 'pino';
import * as z from 'zod';

import { LineWriter } from '../log/line-writer.ts';

/** The form of an audit line, described in `audit.schema.json`: no values, and no tokens. */
export const auditEntrySchema = z.object({
  time: z.iso.datetime(),
  request_id: z.string(),
  token: z.string().nullable(),
  role: z.string().nullable(),
  session: z.object({ role: z.string(), settings: z.array(z.string()) }).optional(),
  model: z.string().nullable(),
  models: z.array(z.string()),
  attributes: z.array(z.string()),
  page: z.number().nullable(),
  size: z.number().nullable(),
  rows: z.int(),
  ms: z.number(),
  outcome: z.string(),
});

export type AuditEntry = z.infer<typeof auditEntrySchema>;

export interface AuditLog {
  write(entry: Omit<AuditEntry, 'time'>): void;
  /** Why lines cannot be written; undefined while they can. */
  readonly failure: Error | undefined;
  readonly dropped: number;
  /** Resolves when everything is written, or cannot be. */
  close(): Promise<void>;
}

type LineTarget = Pick<LineWriter, 'write' | 'failure' | 'dropped'>;

/** Beyond so many waiting bytes lines are dropped. */
const MAX_WAITING_BYTES = 2 ** 20;

/** Pause before a retry, in milliseconds. */
const RETRY_MS = 250;

/** How long an ending process waits for its last lines, in milliseconds. */
const CLOSE_LIMIT_MS = 1000;

interface AuditOutputs {
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly stdout: LineTarget & { readonly flush: () => Promise<void> };
}

/** @throws {SettingsError} when the file of the audit log cannot be opened */
export function openAuditLog(
  audit: string | undefined,
  { log, stdout }: AuditOutputs,
): AuditLog | undefined {
  if (audit === undefined) return undefined;
  return audit === 'stdout' ? auditLogOver(stdout, stdout.flush) : openAuditFile(audit, log);
}

/** @throws {SettingsError} when the file cannot be opened, without creating it */
export function checkAuditFile(audit: string | undefined): void {
  if (audit === undefined || audit === 'stdout') return;
  try {
    let place = audit;
    while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
    if (statSync(place).isDirectory() === (place === audit))
      throw new Error(`${place} is ${place === audit ? 'a' : 'no'} directory`);
    accessSync(place, constants.W_OK);
  } catch (cause) {
    throw cannotOpen(cause);
  }
}

/** @throws {SettingsError} when the file cannot be opened */
export function openAuditFile(path: string, log: Pick<Logger, 'error' | 'warn'>): AuditLog {
  let fd = openForAppending(path);
  if (isOpenToOthers(fd))
    log.warn(
      { file: path },
      `other users of this machine may read who asked for what: run chmod 600 ${path}`,
    );
  const writer = new LineWriter({
    fd: () => (fd = followed(path, fd)),
    enoughBytes: 1,
    waitMs: RETRY_MS,
    maxBytes: MAX_WAITING_BYTES,
    onFailure: (err) => log.error({ err }, 'audit lines cannot be written'),
    onRecovery: (dropped) => log.warn({ dropped }, 'audit lines are written again'),
  });
  return auditLogOver(writer, () => writer.close(CLOSE_LIMIT_MS));
}

function auditLogOver(target: LineTarget, close: () => Promise<void>): AuditLog {
  return {
    write: (entry) =>
      target.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`),
    get failure() {
      return target.failure;
    },
    get dropped() {
      return target.dropped;
    },
    close,
  };
}

const OWNER_ONLY = 0o600;

/** Pipes and devices keep nothing, and on Windows the mode does not tell. */
function isOpenToOthers(fd: number): boolean {
  const file = fstatSync(fd);
  return process.platform !== 'win32' && file.isFile() && (file.mode & 0o077) !== 0;
}

/** Opens it anew once it was moved or removed, as log rotation does. */
function followed(path: string, fd: number): number {
  try {
    const [held, found] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })];
    if (found?.ino === held.ino && found.dev === held.dev) return fd;
    const opened = openForAppending(path);
    closeSync(fd);
    return opened;
  } catch {
    // Until that succeeds, lines go where they went.
    return fd;
  }
}

function openForAppending(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'a', OWNER_ONLY);
  } catch (cause) {
    throw cannotOpen(cause);
  }
}

function cannotOpen(cause: unknown): SettingsError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SettingsError(`audit: the file cannot be opened: ${reason}.`, { cause });
}
