import { csvWriter, EXPORT_TYPES, jsonMemberTexts } from '@proj/contract';
import type { ExportedList } from '@proj/engine';

/** A media type in which lists are exported. */
export type ExportType = (typeof EXPORT_TYPES)[keyof typeof EXPORT_TYPES];

/** How an export is written. */
export interface ExportFormat {
  readonly contentType: string;
  /** What comes before the records. */
  readonly head: string;
  /** The text of some records, from their JSON texts, each with a line feed after it. */
  readonly body: (lines: string) => string;
}

/** The format of a media type for a list. */
export function exportFormat(type: ExportType, { columns, csv }: ExportedList): ExportFormat {
  if (type === EXPORT_TYPES.jsonLines) return { contentType: type, head: '', body: asIs };
  const { head, line } = csvWriter(columns, csv);
  return {
    // The parameters of RFC 4180 §3.
    contentType: `${type}; charset=utf-8; header=present`,
    head,
    body: (lines) => {
      let text = '';
      for (const record of lines.split('\n'))
        if (record !== '') text += line(jsonMemberTexts(record));
      return text;
    },
  };
}

function asIs(lines: string): string {
  return lines;
}
