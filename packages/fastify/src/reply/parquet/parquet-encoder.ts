import { jsonMemberValues } from '@proj/contract';
import type { ExportedColumn } from '@proj/engine';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

import { type ParquetColumn, parquetColumn } from './column-types.ts';

/** Characters of records in a row group, which is held in memory. */
const GROUP_LENGTH = 512 * 1024;

class TakenBytes extends ByteWriter {
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

export class MisfitError extends Error {
  readonly attribute: string;

  constructor(attribute: string) {
    super(`A value of ${JSON.stringify(attribute)} does not fit its column.`);
    this.attribute = attribute;
  }
}

/** Follows https://parquet.apache.org/docs/file-format/; unreadable without the footer of `end`. */
export class ParquetEncoder {
  readonly #bytes = new TakenBytes();
  readonly #columns: readonly ParquetColumn[];
  readonly #writer: ParquetWriter;
  #values: unknown[][];
  #length = 0;

  constructor(columns: readonly ExportedColumn[]) {
    this.#columns = columns.map(parquetColumn);
    this.#values = this.#columns.map(() => []);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      createdBy: 'dynamic-query',
      schema: [
        { name: 'root', num_children: columns.length },
        ...this.#columns.flatMap(({ schema }) => schema),
      ],
    });
  }

  begin(): Uint8Array<ArrayBuffer> {
    return this.#bytes.take();
  }

  /** @throws {MisfitError} when a column cannot hold a value of these lines of JSON */
  add(text: string): Uint8Array<ArrayBuffer> {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      this.#addRecord(line);
      if (this.#length >= GROUP_LENGTH) this.#endGroup();
    }
    return this.#bytes.take();
  }

  end(): Uint8Array<ArrayBuffer> {
    this.#endGroup();
    // DuckDB knows JSON by this name alone, for which the writer would parse the texts anew.
    this.#writer.schema = this.#writer.schema.map((node) =>
      node.logical_type?.type === 'JSON' ? { ...node, converted_type: 'JSON' } : node,
    );
    void this.#writer.finish();
    return this.#bytes.take();
  }

  #addRecord(line: string): void {
    this.#length += line.length;
    for (const [index, json] of jsonMemberValues(line).entries()) {
      const column = this.#columns[index];
      const value = column?.read(json);
      if (value === undefined) throw new MisfitError(column?.name ?? '');
      this.#values[index]?.push(value);
    }
  }

  #endGroup(): void {
    const [first] = this.#values;
    if (first === undefined || first.length === 0) return;
    const columnData = this.#columns.map(({ name }, index) => ({
      name,
      data: this.#values[index] ?? [],
      offsetIndex: false,
    }));
    void this.#writer.write({ columnData, rowGroupSize: first.length });
    this.#values = this.#columns.map(() => []);
    this.#length = 0;
  }
}
