import type { DynamicQueryClient, RequestedTotal } from '@proj/client';
import { groupDigits, isCsvNull } from '@proj/contract';

import type { ExportRequest } from '../export/export-state.ts';
import {
  chooseFormat,
  type FormatName,
  formatOf,
  type FormatOptions,
  isPagedFormat,
} from '../export/formats.ts';
import { openServerExport, writeServerExport } from '../export/server-export.ts';
import { fileTarget, stdoutTarget, type Target, wholeFileTarget } from '../export/targets.ts';
import { type ExportedList, listPages, writeExport } from '../export/write-export.ts';
import { FailedError, UsageError } from '../failure.ts';
import { printable } from '../output/printable.ts';
import { progressBar, type ProgressBar } from '../output/progress-bar.ts';
import { chooseSize, entriesOf } from '../service/model-lookup.ts';
import { put, type Session, type Terminal } from '../terminal/terminal.ts';
import { askedList, type ListFlags } from './asked-list.ts';

export interface ExportFlags extends ListFlags {
  readonly total?: RequestedTotal;
  readonly format?: FormatName;
  readonly output?: string;
  readonly paged?: boolean;
  readonly concurrency?: number;
  readonly order?: 'page' | 'key';
  readonly size?: number;
  readonly resume?: boolean;
  readonly restart?: boolean;
  readonly strict?: boolean;
  readonly csvNull: string;
  readonly csvGuardFormulas?: boolean;
  readonly quiet?: boolean;
}

interface Job {
  readonly client: DynamicQueryClient;
  readonly list: ExportedList;
  readonly request: ExportRequest;
  readonly formatName: FormatName;
  readonly options: FormatOptions;
  readonly flags: ExportFlags;
  readonly terminal: Terminal;
  readonly bar: ProgressBar;
}

/** Exports by the service, from one state, unless it cannot or a flag is about pages. */
export async function exportList(
  name: string,
  given: ExportFlags,
  session: Session,
): Promise<void> {
  const { output, ...unnamed } = given;
  const flags = output === '-' ? unnamed : given;
  checkFlags(flags);
  const formatName = chooseFormat(flags);
  checkCsvFlags(flags, formatName);
  checkParquet(flags, formatName, session.terminal);
  const { terminal } = session;
  const { client, url, model, list: selected } = await askedList(name, flags, session);
  const { order = 'page', size: asked = model.max_page_size } = flags;
  const walk = { order, size: chooseSize(asked, model) };
  const list = { ...selected, ...walk };
  const csv = { null: flags.csvNull, guardFormulas: flags.csvGuardFormulas === true };
  const options = { columns: entriesOf(list.attributes, model), csv };
  const { filter = null, sort = null, related = null } = selected;
  const parts = { ...selected, filter, sort, related, ...walk };
  const request = { ...parts, url, format: formatName, csv };
  const bar = progressBar(terminal.stderr, { quiet: flags.quiet === true });
  const job = { client, list, request, formatName, options, flags, terminal, bar };
  const exported = isPaged(flags) ? undefined : exportByServer(job);
  const records = await Promise.resolve(exported)
    .then((count) => count ?? exportByPages(job))
    .finally(() => bar.clear());
  await putSummary(records, flags, terminal);
}

function isPaged({ paged, resume, order, concurrency, size, total }: ExportFlags): boolean {
  const about = [concurrency, size, total].some((value) => value !== undefined);
  return paged === true || resume === true || order === 'key' || about;
}

/** Undefined where the service has no exports. */
async function exportByServer(job: Job): Promise<number | undefined> {
  const { client, list, request, formatName: format, options, flags, terminal, bar } = job;
  const { output, restart = false } = flags;
  const terms = { format, csv: options.csv, signal: terminal.signal };
  const file = await openServerExport(client, list, terms);
  if (file === undefined) return undefined;
  const { total } = file;
  const onProgress = (lines: number): void =>
    bar.update({ read: Math.min(lines, Number(total)), total });
  try {
    const target =
      output === undefined
        ? stdoutTarget(terminal.stdout, request, 'service')
        : await wholeFileTarget(output, request, restart);
    return await writeServerExport(file, { format, target, onProgress });
  } catch (error) {
    // Its connection would keep the process running. A body that has failed rejects once more.
    await file.body.cancel().catch(() => undefined);
    throw error;
  }
}

async function exportByPages(job: Job): Promise<number> {
  const { client, list, request, formatName, options, flags, terminal, bar } = job;
  if (!isPagedFormat(formatName))
    throw new FailedError(`the service does not export ${formatName}. ${OTHER_FORMATS}`);
  const target = await openTarget(flags, request, terminal);
  const { position, records: before, start } = target.state;
  if (flags.resume === true && start === null && flags.quiet !== true)
    await put(terminal.stderr, 'dq: there is no whole page to resume; the export begins anew.\n');
  const pages = listPages(client, list, {
    position,
    concurrency: flags.concurrency ?? 4,
    total: flags.total ?? 'exact',
    signal: terminal.signal,
  });
  // The pages of a walk by key count from where this run begins.
  const earlier = list.order === 'key' ? BigInt(before) : 0n;
  return writeExport(pages, {
    format: formatOf(formatName, options),
    target,
    onPage: ({ total }, read) =>
      bar.update({ read, total: total === null ? null : total + earlier }),
    onDrift: list.order === 'page' ? driftHandler(flags, terminal) : () => undefined,
  });
}

const OTHER_FORMATS = 'Leave --format out, or name a file that ends in .csv or .ndjson.';

/** Only the service writes Parquet, whose parts are not pages. */
function checkParquet(flags: ExportFlags, format: FormatName, { stdout }: Terminal): void {
  if (isPagedFormat(format)) return;
  if (isPaged(flags))
    throw new UsageError(
      `${format} is written by the service, and not page by page. Leave out --paged and what ` +
        `goes with it. ${OTHER_FORMATS}`,
    );
  if (flags.output === undefined && stdout.isTTY === true)
    throw new UsageError(`${format} is no text for a terminal. Name a file with -o.`);
}

async function putSummary(
  records: number,
  { quiet, output }: ExportFlags,
  { stderr }: Terminal,
): Promise<void> {
  if (quiet === true || stderr.isTTY !== true) return;
  const place = output === undefined ? '' : ` to ${printable(output)}`;
  await put(stderr, `wrote ${groupDigits(records)} records${place}\n`);
}

function checkFlags({ resume, restart, output, order, sort, csvNull }: ExportFlags): void {
  if (!isCsvNull(csvNull))
    throw new UsageError('--csv-null: expected a text without commas, quotes and line breaks.');
  if (resume && restart)
    throw new UsageError('--resume and --restart exclude each other. Pass one of them.');
  if ((resume || restart) && output === undefined) {
    throw new UsageError(`${resume ? '--resume' : '--restart'} goes with a file. Name it with -o.`);
  }
  if (order === 'key' && sort !== undefined)
    throw new UsageError('--order key is an order itself. Leave --sort out.');
}

function checkCsvFlags(
  { csvNull, csvGuardFormulas, output }: ExportFlags,
  format: FormatName,
): void {
  if (format === 'csv') return;
  const place = output === undefined ? 'the output' : output;
  for (const [flag, isGiven] of [
    ['--csv-null', csvNull !== ''],
    ['--csv-guard-formulas', csvGuardFormulas === true],
  ] as const) {
    if (isGiven)
      throw new UsageError(
        `${flag} is for CSV, and ${place} becomes ${format}. Leave ${flag} out, or export CSV ` +
          'with --format csv or -o FILE.csv.',
      );
  }
}

async function openTarget(
  flags: ExportFlags,
  request: ExportRequest,
  { stdout }: Terminal,
): Promise<Target> {
  const { output, resume = false, restart = false } = flags;
  return output === undefined
    ? stdoutTarget(stdout, request, 'pages')
    : fileTarget(output, request, { resume, restart });
}

const REMEDY = 'Records may be missing or repeated; --order key is safe from that.';

function driftHandler(
  { strict = false, quiet = false }: ExportFlags,
  { stderr }: Terminal,
): (what: string) => void {
  return (what) => {
    if (strict) throw new FailedError(`${what}. ${REMEDY}`);
    if (!quiet) stderr.write(`dq: warning: ${what}. ${REMEDY}\n`);
  };
}
