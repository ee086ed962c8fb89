import type { Page, PageTotal } from '@proj/client';

import { ToolError } from '../errors/explain.ts';
import { fitPage, type FittingPage } from './fit-page.ts';
import { rangeFacts, rangeText, type ShownRange } from './range-text.ts';
import { lineBytes, recordLine, wrapRecords } from './record-lines.ts';
import { type CutText, shortenTexts, type TextRange } from './short-texts.ts';

/** What a tool answers. */
export interface ToolResult {
  /** For readers. */
  readonly text: string;
  /** The same for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Records by the names of their attributes. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** What is said of a page, and how much of it. */
export interface PageText {
  /** What its items are: `records` or `groups`. */
  readonly items: string;
  /** What the result begins with, such as the name of the model. */
  readonly title: string;
  /** Sentences that come behind the range. */
  readonly notes?: readonly string[];
  readonly texts: TextRange;
  /** How many bytes the lines of the records may take. */
  readonly maxBytes: number;
  /** Members of the result for programs, besides those of every page. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * The result of a call that reads a page, whose whole records fit into the bytes.
 *
 * @throws {ToolError} when the first record alone takes more.
 */
export function pageResult(page: Page<AnyRecord, PageTotal>, text: PageText): ToolResult {
  const records = page.records.map((record) => shortenTexts(record, text.texts));
  const lines = records.map(({ record }) => recordLine(record));
  const fitted = fit(page, lines, text);
  const shown = records.slice(0, fitted.size);
  const cut = shown.flatMap((record, index) =>
    record.cut.map((one) => ({ record: index + 1, ...one })),
  );
  const range = rangeOf(page, fitted, { items: text.items, shown: shown.length });
  const summary = [`${text.title}: ${rangeText(range)}.`, ...notesOf(page, fitted, { text, cut })];
  return {
    text: [summary.join(' '), wrapRecords(lines.slice(0, fitted.size))].join('\n'),
    facts: {
      summary: summary.join(' '),
      ...text.facts,
      ...rangeFacts(range),
      version: page.dataVersion,
      ...(cut.length > 0 && { cut_texts: cut }),
      [text.items]: shown.map(({ record }) => record),
    },
  };
}

/** How many bytes the records of a page take as they are shown. */
export function pageBytes({ records }: Page<AnyRecord, PageTotal>, texts: TextRange): number[] {
  return records.map((record) => lineBytes(recordLine(shortenTexts(record, texts).record)));
}

function fit(
  { number, size }: Page<AnyRecord, PageTotal>,
  lines: readonly string[],
  { items, maxBytes }: PageText,
): FittingPage {
  const bytes = lines.map(lineBytes);
  const fitted = fitPage({ number, size, bytes, most: maxBytes });
  if (fitted !== undefined) return fitted;
  throw new ToolError(
    `The first of the ${items} takes ${bytes[0]} bytes, and a result has room for ${maxBytes}. ` +
      'Name fewer attributes, or pass a smaller max_text.',
  );
}

function rangeOf(
  page: Page<AnyRecord, PageTotal>,
  { number, size }: FittingPage,
  { items, shown }: Pick<ShownRange, 'items' | 'shown'>,
): ShownRange {
  const hasNext = page.hasNext || shown < page.records.length;
  return { items, page: number, size, shown, total: page.total, hasNext };
}

interface Cuts {
  readonly text: PageText;
  readonly cut: readonly CutText[];
}

function notesOf(
  page: Page<AnyRecord, PageTotal>,
  { number, size }: FittingPage,
  { text, cut }: Cuts,
): string[] {
  const isCut = size !== page.size;
  return [
    ...(isCut
      ? [
          `Cut from ${page.size} to ${size} ${text.items} for want of room (${text.maxBytes} ` +
            `bytes): this is page ${number} of size ${size}.`,
        ]
      : []),
    ...(page.isApproximate
      ? ['Records and total may be of different states: this model is on several servers.']
      : []),
    ...(text.notes ?? []),
    ...(cut.length > 0 ? [cutNote(cut)] : []),
    ...(page.dataVersion === null ? [] : [`Data version: ${page.dataVersion}.`]),
  ];
}

/** So many cut texts are named; programs get all of them. */
const NAMED_CUTS = 5;

function cutNote(cut: readonly CutText[]): string {
  const named = cut
    .slice(0, NAMED_CUTS)
    .map(
      ({ record, attribute, from, to, characters }) =>
        `${attribute} of record ${record} here (characters ${from}–${to} of ${characters})`,
    );
  const more = cut.length > NAMED_CUTS ? ` and ${cut.length - NAMED_CUTS} more` : '';
  return (
    `Cut texts: ${named.join(', ')}${more}. To read one whole, ask for that record and attribute ` +
    'alone with a larger max_text, or with text_from for the rest.'
  );
}
