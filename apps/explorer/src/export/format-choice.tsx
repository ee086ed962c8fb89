import type { EncoderOptions } from '../values/record-encoder.ts';

interface FormatChoiceProps {
  readonly value: EncoderOptions;
  readonly disabled: boolean;
  readonly onChange: (value: EncoderOptions) => void;
}

/** In which form the records are written. */
export function FormatChoice({ value, disabled, onChange }: FormatChoiceProps) {
  const { format, guardFormulas } = value;
  return (
    <fieldset class="choices" disabled={disabled}>
      <legend class="sr-only">Format</legend>
      <label class="check">
        <input
          type="radio"
          name="format"
          checked={format === 'csv'}
          onChange={() => onChange({ ...value, format: 'csv' })}
        />
        <span>
          CSV (NULL is an empty field, the empty text is <code>""</code>)
        </span>
      </label>
      <label class="check">
        <input
          type="radio"
          name="format"
          checked={format === 'jsonl'}
          onChange={() => onChange({ ...value, format: 'jsonl' })}
        />
        JSON lines (every value exactly as the service sends it)
      </label>
      <label class="check">
        <input
          type="radio"
          name="format"
          checked={format === 'parquet'}
          onChange={() => onChange({ ...value, format: 'parquet' })}
        />
        Parquet (columns with their types, for DuckDB, pandas and their like)
      </label>
      {format === 'csv' && (
        <label class="check">
          <input
            type="checkbox"
            checked={guardFormulas}
            onChange={({ currentTarget }) =>
              onChange({ ...value, guardFormulas: currentTarget.checked })
            }
          />
          Put an apostrophe before texts that a spreadsheet would run as formulas
        </label>
      )}
    </fieldset>
  );
}
