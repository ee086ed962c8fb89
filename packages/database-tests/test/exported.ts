import { type Engine, EVERYTHING, type ExportedList, type Grant } from '@proj/engine';

/** A whole list as a caller gets it. */
export interface Exported extends ExportedList {
  /** The text of the JSON array of all records, as a page would have it. */
  readonly result: string;
  readonly records: Record<string, unknown>[];
}

/** What one exports. */
export interface ExportQuestion {
  readonly model: string;
  readonly attributes?: readonly string[];
  readonly filter?: unknown;
  readonly sort?: readonly unknown[];
  /** Other members of the request, such as those about groups. */
  readonly grouping?: object;
}

/** How an export is asked for. */
export interface ExportTerms {
  readonly grant?: Grant;
  readonly signal?: AbortSignal;
  readonly caller?: string;
  /** Waited for after the beginning, and after each piece with the number of records so far. */
  readonly onProgress?: (records: number) => Promise<void> | void;
}

/** The body of an export. */
function exportBody({
  model,
  attributes = ['id'],
  filter,
  sort,
  grouping,
}: ExportQuestion): Record<string, unknown> {
  return {
    query_model: model,
    query_attributes: attributes,
    ...(filter !== undefined && { query_filter: filter }),
    ...(sort && { query_sort: sort }),
    ...grouping,
  };
}

/** Exports a list, and checks that it has as many lines as it was said at the beginning. */
export async function exported(
  engine: Pick<Engine, 'export'>,
  question: ExportQuestion,
  { grant = EVERYTHING, onProgress = () => undefined, ...call }: ExportTerms = {},
): Promise<Exported> {
  let list: ExportedList | undefined;
  let text = '';
  let records = 0;
  const sink = {
    begin: async (beginning: ExportedList) => {
      list = beginning;
      await onProgress(0);
    },
    write: async (lines: { readonly text: string; readonly records: number }) => {
      text += lines.text;
      records += lines.records;
      await onProgress(records);
    },
  };
  await engine.export(exportBody(question), grant, { sink, ...call });
  const lines = text.split('\n').slice(0, -1);
  if (list === undefined || BigInt(lines.length) !== list.total || records !== lines.length)
    throw new Error(`${lines.length} lines, ${records} records, ${list?.total} in all`);
  const result = `[${lines.join(',')}]`;
  return { ...list, result, records: JSON.parse(result) as Record<string, unknown>[] };
}
