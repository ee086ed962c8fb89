import type { RequestError } from '@proj/client';

import type { ViewState } from './view-state.ts';

/** The control that an error of a request belongs to. */
export type ErrorPlace =
  | {
      readonly control:
        | 'model'
        | 'attributes'
        | 'conditions'
        | 'sort'
        | 'page'
        | 'size'
        | 'request';
    }
  /** `operand` is the input within the condition; `null` where the whole condition is meant. */
  | { readonly control: 'condition'; readonly index: number; readonly operand: number | null };

/** Where on the page to show what a JSON pointer (RFC 6901) into the body of a query names. */
export function errorPlace(
  pointer: string,
  { conditions }: Pick<ViewState, 'conditions'>,
): ErrorPlace {
  const [, member = '', ...rest] = pointer.split('/');
  switch (member) {
    case 'query_model':
      return { control: 'model' };
    case 'query_attributes':
      return { control: 'attributes' };
    case 'query_sort':
      return { control: 'sort' };
    case 'query_filter':
      return conditions.length === 1 ? conditionPlace(0, rest) : groupPlace(rest);
    case 'page':
      return { control: rest[0] === 'size' ? 'size' : 'page' };
    default:
      return { control: 'request' };
  }
}

function groupPlace([group, index, ...rest]: readonly string[]): ErrorPlace {
  return group === undefined || index === undefined
    ? { control: 'conditions' }
    : conditionPlace(Number(index), rest);
}

function conditionPlace(index: number, [member, operand]: readonly string[]): ErrorPlace {
  if (member !== 'value') return { control: 'condition', index, operand: null };
  return { control: 'condition', index, operand: operand === undefined ? 0 : Number(operand) };
}

/** The errors that belong to one kind of control. */
export function errorsAt(
  errors: readonly RequestError[],
  view: ViewState,
  control: ErrorPlace['control'],
): readonly RequestError[] {
  return errors.filter(({ pointer }) => errorPlace(pointer, view).control === control);
}

/** The errors of the condition with that index. */
export function conditionErrors(
  errors: readonly RequestError[],
  view: ViewState,
  index: number,
): readonly RequestError[] {
  return errors.filter(({ pointer }) => {
    const place = errorPlace(pointer, view);
    return place.control === 'condition' && place.index === index;
  });
}
