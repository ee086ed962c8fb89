import { csvWriter, EXPORT_FORMATS, type ExportType, jsonMemberTexts } from '@proj/contract';
import type { ExportCall, ExportedList, RecordLines } from '@proj/engine';

import { isTyped } from './parquet/column-types.ts';

/** May be empty. */
type Part = Uint8Array | Promise<Uint8Array>;

/** Encodes an export. All parts, one after the other, are the file. */
export interface ExportFormat {
  readonly contentType: string;
  begin?(): Part;
  /** One call at a time. @throws {HttpProblem} when the format cannot hold a record */
  add(lines: RecordLines): Part;
  end?(): Part;
  /** Releases resources, also in the middle of a part, which then rejects. */
  close?(): Promise<void>;
}

/** THE table of how each form of export is written. */
export const FORMATS: Readonly<Record<ExportType, (list: ExportedList) => Promise<ExportFormat>>> =
  {
    [EXPORT_FORMATS.jsonl.type]: async () => ({
      contentType: EXPORT_FORMATS.jsonl.type,
      add: ({ text }) => Buffer.from(text),
    }),
    [EXPORT_FORMATS.csv.type]: async (list) => csvFormat(list),
    [EXPORT_FORMATS.parquet.type]: async (list) => {
      const { parquetFormat } = await import('./parquet/parquet-format.ts');
      return parquetFormat(list);
    },
  };

/** Which columns of a format have types of their own; undefined where none has. */
export function typedColumns(type: ExportType): ExportCall['isTyped'] {
  return type === EXPORT_FORMATS.parquet.type ? isTyped : undefined;
}

function csvFormat({ columns, csv }: ExportedList): ExportFormat {
  const { head, line } = csvWriter(columns, csv);
  return {
    // The parameters of RFC 4180 §3.
    contentType: `${EXPORT_FORMATS.csv.type}; charset=utf-8; header=present`,
    begin: () => Buffer.from(head),
    add: ({ text: lines }) => {
      let text = '';
      for (const record of lines.split('\n'))
        if (record !== '') text += line(jsonMemberTexts(record));
      return Buffer.from(text);
    },
  };
}
