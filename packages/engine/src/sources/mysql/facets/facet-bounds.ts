import type { Field } from '../../../catalogue/field.ts';
import { floatParameter } from '../values/operands.ts';

/** A bound as it is bound: the statement casts it to the kind of the column. */
export function boundValue(text: string, field: Field): unknown {
  switch (field.type) {
    case 'float64':
      return floatParameter(Number(text), field);
    case 'timestamp':
    case 'timestamp_tz':
      return text.replace('T', ' ').replace(/Z$/, '');
    default:
      return text;
  }
}
