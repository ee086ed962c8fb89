import type { Condition } from '../mapping/condition.ts';
import { anyOf, type Part } from '../mapping/filter-parts.ts';
import { holdsText, isOneOfTexts, isOtherText } from '../mapping/texts.ts';
import type { AgCondition } from './filter-model.ts';

/** A condition of a text filter: NULL passes `notEqual` and `notContains`, and no other one. */
export function textFilter(mapped: Condition, { type, filter }: AgCondition): Part {
  switch (type) {
    case 'contains':
      return holdsText(mapped, 'contains', filter);
    case 'notContains':
      return mapped.except(holdsText(mapped, 'contains', filter));
    case 'startsWith':
      return holdsText(mapped, 'starts_with', filter);
    case 'endsWith':
      return holdsText(mapped, 'ends_with', filter);
    case 'equals':
      return isOneOfTexts(mapped, [filter]);
    case 'notEqual':
      return isOtherText(mapped, filter);
    case 'blank':
      return isBlank(mapped);
    case 'notBlank':
      return isNotBlank(mapped);
    default:
      return mapped.refuse(
        'the condition is not known',
        'contains, notContains, startsWith, endsWith, equals, notEqual, blank or notBlank',
      );
  }
}

/** Texts of spaces alone are blank to a text filter, and not here: no operator finds them. */
export function isBlank(mapped: Condition): Part {
  if (mapped.entry.type !== 'text') return mapped.isNull();
  return anyOf([mapped.isNull(), mapped.compare('eq', '')]);
}

function isNotBlank(mapped: Condition): Part {
  return mapped.entry.type === 'text' ? mapped.compare('ne', '') : mapped.isNotNull();
}
