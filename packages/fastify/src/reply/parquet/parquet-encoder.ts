import { jsonMemberValues } from '@proj/contract';
import type { ExportedColumn } from '@proj/engine';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

import { parquetColumn } from './column-types.ts';

/** Characters of records in a row group, which is held in memory. */
const GROUP_LENGTH = 512 * 1024;

/** The next bytes of the file, or the attribute whose column cannot hold a value. */
export type EncoderReply = Uint8Array<ArrayBuffer> | string;

export interface ParquetEncoder {
  begin(): EncoderReply;
  /** @param lines records as JSON */
  add(lines: string): EncoderReply;
  end(): EncoderReply;
}

/** Follows https://parquet.apache.org/docs/file-format/; unreadable without the footer of `end`. */
export function parquetEncoder(exported: readonly ExportedColumn[]): ParquetEncoder {
  const columns = exported.map((column) => ({ ...parquetColumn(column), values: [] as unknown[] }));
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    createdBy: 'dynamic-query',
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.flatMap(({ schema }) => schema),
    ],
  });
  let length = 0;
  const take = (): EncoderReply => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  };
  const endGroup = (): void => {
    const rowGroupSize = columns[0]?.values.length ?? 0;
    if (rowGroupSize === 0) return;
    const columnData = columns.map(({ name, values }) => ({
      name,
      data: values.splice(0),
      offsetIndex: false,
    }));
    void writer.write({ columnData, rowGroupSize });
    length = 0;
  };
  return {
    begin: take,
    add: (lines) => {
      for (const line of lines.split('\n')) {
        for (const [index, json] of jsonMemberValues(line).entries()) {
          const { name = '', values, read } = columns[index] ?? {};
          const value = json === 'null' ? null : read?.(json);
          if (value === undefined) return name;
          values?.push(value);
        }
        length += line.length;
        if (length >= GROUP_LENGTH) endGroup();
      }
      return take();
    },
    end: () => {
      endGroup();
      // DuckDB knows JSON by this name alone, for which the writer would parse the texts anew.
      writer.schema = writer.schema.map((node) =>
        node.logical_type?.type === 'JSON' ? { ...node, converted_type: 'JSON' } : node,
      );
      void writer.finish();
      return take();
    },
  };
}
