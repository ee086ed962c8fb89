import { readFile, rename, writeFile } from 'node:fs/promises';

import { UsageError } from '../failure.ts';

/** Everything that decides what an export writes; equal requests can continue each other. */
export interface ExportRequest {
  readonly url: string;
  readonly model: string;
  readonly attributes: readonly string[];
  readonly filter: unknown;
  readonly sort: unknown;
  readonly related: unknown;
  readonly order: 'page' | 'key';
  readonly size: number;
  readonly format: string;
  readonly csv: unknown;
}

/** A page, or the key to start behind. */
export interface Position {
  readonly from: number;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Of the first page, to notice that the data changes. */
export interface DataState {
  /** Null where the total is not asked for. */
  readonly total: string | null;
  readonly dataVersion: string | null;
}

/** A part file holds whole pages up to `bytes`. */
export interface ExportState {
  readonly version: 2;
  readonly request: ExportRequest;
  readonly bytes: number;
  readonly records: number;
  readonly position: Position;
  /** Null before the first page. */
  readonly start: DataState | null;
}

export function freshState(request: ExportRequest): ExportState {
  return {
    version: 2,
    request,
    bytes: 0,
    records: 0,
    position: { from: 1, after: null },
    start: null,
  };
}

/** Replaces the file in one step, so that it is never half written. */
export async function writeState(file: string, state: ExportState): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(state)}\n`, { flush: true });
  await rename(`${file}.new`, file);
}

/** @throws {UsageError} when there is no readable state, or it belongs to another request. */
export async function readState(file: string, request: ExportRequest): Promise<ExportState> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const state = parse(text);
  if (state === undefined) {
    throw new UsageError(
      `--resume: ${file} does not say how far the export came. Begin again with --restart.`,
    );
  }
  const asked: ReadonlyMap<string, unknown> = new Map(Object.entries(request));
  const differing = Object.entries(state.request).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(asked.get(name)),
  );
  if (differing.length === 0) return state;
  const earlier = differing.map(([name, value]) => describe(name, value)).join(', ');
  throw new UsageError(
    `--resume: the interrupted export has ${earlier}. Repeat its command with --resume, or begin ` +
      'again with --restart.',
  );
}

/** `size 500`, `attributes id,name`, `no filter` */
function describe(name: string, value: unknown): string {
  if (value === null) return `no ${name}`;
  if (typeof value === 'string') return `${name} ${value}`;
  const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return `${name} ${isNames ? value.join(',') : JSON.stringify(value)}`;
}

function parse(text: string): ExportState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    return isState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Only this program writes the file, in one step: its version decides its shape. */
function isState(value: unknown): value is ExportState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 2 &&
    'request' in value
  );
}
