import type { Page, PageTotal } from '@proj/client';

import { ToolError } from '../errors/explain.ts';
import { rangeFacts, rangeText } from './range-text.ts';
import {
  type AnyRecord,
  type CutText,
  lineBytes,
  recordLine,
  shortenTexts,
  type TextRange,
  wrapRecords,
} from './records.ts';

/** What a tool answers. */
export interface ToolResult {
  /** For readers. */
  readonly text: string;
  /** The same for programs. */
  readonly facts: AnyRecord;
}

/** What is said of a page, and how much of it. */
export interface PageText {
  /** What its items are: `records` or `groups`. */
  readonly items: string;
  /** What the result begins with, such as the name of the model. */
  readonly title: string;
  /** Sentences that come behind the range. */
  readonly notes?: readonly string[];
  readonly texts: TextRange;
  /** How to read a cut text. Default: by the same call. */
  readonly rest?: string;
  /** How many bytes the lines of the records may take. */
  readonly maxBytes: number;
  /** Members of the result for programs, besides those of every page. */
  readonly facts?: AnyRecord;
}

/**
 * The result of a call that reads a page, whose whole records fit into the bytes.
 *
 * @throws {ToolError} when the first record alone takes more.
 */
export function pageResult(page: Page<AnyRecord, PageTotal>, text: PageText): ToolResult {
  const records = page.records.map((record) => shortenTexts(record, text.texts));
  const lines = records.map(({ record }) => recordLine(record));
  const bytes = lines.map(lineBytes);
  const fitted = fitPage(page, bytes, text.maxBytes);
  const { items, maxBytes } = text;
  if (fitted === undefined)
    throw new ToolError(
      `The first of the ${items} takes ${bytes[0]} bytes, and a result has room for ${maxBytes}. ` +
        'Name fewer attributes, or pass a smaller max_text.',
    );
  const { number, size } = fitted;
  const shown = records.slice(0, size);
  const cut = shown.flatMap((record, index) =>
    record.cut.map((one) => ({ record: index + 1, ...one })),
  );
  const hasNext = page.hasNext || shown.length < page.records.length;
  const range = { items, page: number, size, shown: shown.length, total: page.total, hasNext };
  const isWhole = size === page.size;
  const summary = [
    `${text.title}: ${rangeText(range)}.`,
    ...(isWhole ? [] : [roomNote(page, fitted, text)]),
    ...(page.isApproximate ? [APPROXIMATE] : []),
    ...(text.notes ?? []),
    ...(cut.length > 0 ? [cutNote(cut, text.rest)] : []),
    ...(page.dataVersion === null ? [] : [`Data version: ${page.dataVersion}.`]),
  ].join(' ');
  return {
    text: [summary, wrapRecords(lines.slice(0, size))].join('\n'),
    facts: {
      summary,
      ...text.facts,
      ...rangeFacts(range),
      version: page.dataVersion,
      ...(cut.length > 0 && { cut_texts: cut }),
      [items]: shown.map(({ record }) => record),
    },
  };
}

const APPROXIMATE =
  'Records and total may be of different states: this model is on several servers.';

function roomNote(
  page: Page<AnyRecord, PageTotal>,
  { number, size }: FittingPage,
  { items, maxBytes }: PageText,
): string {
  return (
    `Cut from ${page.size} to ${size} ${items} for want of room (${maxBytes} bytes): this is ` +
    `page ${number} of size ${size}.`
  );
}

/** How many bytes the records of a page take as they are shown. */
export function pageBytes({ records }: Page<AnyRecord, PageTotal>, texts: TextRange): number[] {
  return records.map((record) => lineBytes(recordLine(shortenTexts(record, texts).record)));
}

/** So many cut texts are named; programs get all of them. */
const NAMED_CUTS = 5;

export function cutNote(
  cut: readonly CutText[],
  rest = 'To read one whole, ask for that record and attribute alone with a larger max_text, or ' +
    'with text_from for the rest.',
): string {
  const named = cut
    .slice(0, NAMED_CUTS)
    .map(
      ({ record, attribute, from, to, characters }) =>
        `${attribute} of record ${record} here (characters ${from}–${to} of ${characters})`,
    );
  const more = cut.length > NAMED_CUTS ? ` and ${cut.length - NAMED_CUTS} more` : '';
  return `Cut texts: ${named.join(', ')}${more}. ${rest}`;
}

/** A page of which fewer records are shown: one of another size that begins at the same record. */
export interface FittingPage {
  readonly number: number;
  readonly size: number;
}

/**
 * The largest page that begins at the same record and takes no more bytes, so that the next one
 * goes on where it ends; undefined where the first record alone takes more.
 *
 * @param bytes how many each of its records takes
 */
export function fitPage(
  { number, size }: FittingPage,
  bytes: readonly number[],
  most: number,
): FittingPage | undefined {
  const fitting = countFitting(bytes, most);
  if (fitting === bytes.length) return { number, size };
  const before = BigInt(number - 1) * BigInt(size);
  for (let smaller = fitting; smaller > 0; smaller -= 1)
    if (before % BigInt(smaller) === 0n)
      return { number: Number(before / BigInt(smaller)) + 1, size: smaller };
  return undefined;
}

/** How many of the first records fit. */
export function countFitting(bytes: readonly number[], most: number): number {
  let left = most;
  const tooMany = bytes.findIndex((one) => {
    left -= one;
    return left < 0;
  });
  return tooMany === -1 ? bytes.length : tooMany;
}
