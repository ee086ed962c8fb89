import { csvWriter, EXPORT_FORMATS, type ExportType, jsonMemberTexts } from '@proj/contract';
import type { ExportCall, ExportedList } from '@proj/engine';

import { type ExportFormat, misfit } from './export-format.ts';
import { isTyped } from './parquet/column-types.ts';

const NOTHING = new Uint8Array();

/** THE table of how each form of export is written. */
const FORMATS: Readonly<Record<ExportType, (list: ExportedList) => Promise<ExportFormat>>> = {
  [EXPORT_FORMATS.jsonl.type]: async () => ({
    contentType: EXPORT_FORMATS.jsonl.type,
    begin: () => NOTHING,
    add: ({ text }) => Buffer.from(text),
    end: () => NOTHING,
  }),
  [EXPORT_FORMATS.csv.type]: async (list) => csvFormat(list),
  [EXPORT_FORMATS.parquet.type]: async (list) => {
    if (list.misfit !== undefined) throw misfit(list.misfit);
    const { ParquetFormat } = await import('./parquet/parquet-format.ts');
    return new ParquetFormat(list);
  },
};

export async function exportFormat(type: ExportType, list: ExportedList): Promise<ExportFormat> {
  return FORMATS[type](list);
}

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
    end: () => NOTHING,
  };
}
