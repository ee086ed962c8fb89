import { type DynamicQueryClient, type ExportFile, ProblemError } from '@proj/client';
import { EXPORTS_UNREACHABLE } from '@proj/contract';

import type { FormatName, FormatOptions } from './formats.ts';
import { type ExportedList, finishing } from './write-export.ts';
import type { Target } from './targets.ts';

export interface ServerExportTerms extends Pick<FormatOptions, 'csv'> {
  readonly format: FormatName;
  readonly signal: AbortSignal;
}

/** `dq` makes an array of JSON lines itself. */
const SENT_AS = { ndjson: 'jsonl', json: 'jsonl', parquet: 'parquet' } as const;

/** Undefined where the service has no exports. */
export async function openServerExport(
  client: DynamicQueryClient,
  { order: _order, size: _size, ...list }: ExportedList,
  { format, csv, signal }: ServerExportTerms,
): Promise<ExportFile | undefined> {
  const { null: csvNull, guardFormulas: csvGuardFormulas } = csv;
  const csvOptions = {
    ...(csvNull !== undefined && { csvNull }),
    ...(csvGuardFormulas !== undefined && { csvGuardFormulas }),
  };
  const form =
    format === 'csv' ? { format, ...csvOptions, signal } : { format: SENT_AS[format], signal };
  try {
    return await client.exportFile(list, form);
  } catch (error) {
    if (error instanceof ProblemError && EXPORTS_UNREACHABLE.has(error.status)) return undefined;
    throw error;
  }
}

export interface ServerExportWriting {
  readonly format: FormatName;
  readonly target: Target;
  readonly onProgress: (lines: number) => void;
}

/**
 * Writes what the service sends, and finishes the target.
 *
 * @returns how many records the export has
 * @throws {FailedError} with what became of the target; its cause is the error
 */
export async function writeServerExport(
  { body, total }: ExportFile,
  { format, target, onProgress }: ServerExportWriting,
): Promise<number> {
  return finishing(target, async () => {
    if (format === 'parquet') for await (const bytes of body) await target.append(bytes);
    else
      await writeText(body, format === 'json' ? arrayOfLines() : AS_SENT, { target, onProgress });
    return Number(total);
  });
}

async function writeText(
  body: ExportFile['body'],
  shape: Shape,
  { target, onProgress }: Omit<ServerExportWriting, 'format'>,
): Promise<void> {
  const decoder = new TextDecoder();
  let lines = 0;
  await target.append(shape.begin);
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    await target.append(shape.part(text));
    lines += text.split('\n').length - 1;
    onProgress(lines);
  }
  await target.append(shape.end());
}

/** Transforms the text that the service sends. */
interface Shape {
  readonly begin: string;
  readonly part: (text: string) => string;
  readonly end: () => string;
}

const AS_SENT: Shape = { begin: '', part: (text) => text, end: () => '' };

/** Closes the array at the very end. */
function arrayOfLines(): Shape {
  let isFirst = true;
  let rest = '';
  return {
    begin: '[',
    part: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length === 0) return '';
      const opening = isFirst ? '\n' : ',\n';
      isFirst = false;
      return opening + lines.join(',\n');
    },
    end: () => '\n]\n',
  };
}
