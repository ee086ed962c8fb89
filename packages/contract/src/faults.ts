import type * as z from 'zod/mini';

import { jsonPointer } from './pointer.ts';
import type { Fault, FaultCode } from './problems.ts';

/**
 * The faults behind the issues that zod found in a request (read with `reportInput`), each with its
 * pointer.
 */
export function faultsOf(error: z.core.$ZodError): Fault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownMember([...issue.path, key]));
    return [faultOf(issue)];
  });
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  const pointer = jsonPointer(issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.path.length > 0
        ? {
            pointer,
            code: 'missing_member',
            detail: `${pointer} is required: ${expected(issue.expected)}.`,
          }
        : {
            pointer,
            code: 'invalid_type',
            detail: `${pointer || 'The body'}: expected ${expected(issue.expected)}.`,
          };
    case 'too_small':
      return issue.origin === 'array'
        ? { pointer, code: 'no_attributes', detail: `${pointer}: name at least one attribute.` }
        : {
            pointer,
            code: 'out_of_range',
            detail: `${pointer}: expected a whole number of at least ${issue.minimum}.`,
          };
    case 'too_big':
      return issue.origin === 'array'
        ? tooMany(pointer, Number(issue.maximum))
        : {
            pointer,
            code: 'out_of_range',
            detail: `${pointer}: expected at most 2^53 − 1.`,
            maximum: Number(issue.maximum),
          };
    case 'invalid_value':
      return {
        pointer,
        code: 'invalid_value',
        detail: `${pointer}: expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}.`,
      };
    case 'custom':
      return issue.params?.['reported'] ?? customFault(pointer, issue.params?.['fault']);
    default:
      return { pointer, code: 'invalid_type', detail: `${pointer}: not a valid value.` };
  }
}

function tooMany(pointer: string, maximum: number): Fault {
  return pointer === '/query_sort'
    ? {
        pointer,
        code: 'too_many_sort_terms',
        detail: `${pointer}: sort by at most ${maximum} attributes.`,
        maximum,
      }
    : {
        pointer,
        code: 'too_many_attributes',
        detail: `${pointer}: name at most ${maximum} attributes.`,
        maximum,
      };
}

const CUSTOM: Partial<Record<FaultCode, string>> = {
  duplicate_attribute: 'is named a second time',
  invalid_text: 'holds a lone surrogate or a NUL',
};

function customFault(pointer: string, fault: FaultCode): Fault {
  return { pointer, code: fault, detail: `${pointer} ${CUSTOM[fault]}.` };
}

function unknownMember(path: readonly PropertyKey[]): Fault {
  const pointer = jsonPointer(path);
  return { pointer, code: 'unknown_member', detail: `${pointer} is not part of the request.` };
}

function expected(type: string): string {
  if (type === 'int' || type === 'number') return 'a whole number, not in quotes';
  if (type === 'array' || type === 'object') return `an ${type}`;
  return `a ${type}`;
}
