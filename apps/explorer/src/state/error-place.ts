import type { RequestFault } from '@proj/client';

import type { ViewState } from './view-state.ts';

/** The control that a fault of a request belongs to. */
export type FaultPlace =
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
export function faultPlace(
  pointer: string,
  { conditions }: Pick<ViewState, 'conditions'>,
): FaultPlace {
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

function groupPlace([group, index, ...rest]: readonly string[]): FaultPlace {
  return group === undefined || index === undefined
    ? { control: 'conditions' }
    : conditionPlace(Number(index), rest);
}

function conditionPlace(index: number, [member, operand]: readonly string[]): FaultPlace {
  if (member !== 'value') return { control: 'condition', index, operand: null };
  return { control: 'condition', index, operand: operand === undefined ? 0 : Number(operand) };
}

/** The faults that belong to one kind of control. */
export function faultsAt(
  faults: readonly RequestFault[],
  view: ViewState,
  control: FaultPlace['control'],
): readonly RequestFault[] {
  return faults.filter(({ pointer }) => faultPlace(pointer, view).control === control);
}

/** The faults of the condition with that index. */
export function conditionFaults(
  faults: readonly RequestFault[],
  view: ViewState,
  index: number,
): readonly RequestFault[] {
  return faults.filter(({ pointer }) => {
    const place = faultPlace(pointer, view);
    return place.control === 'condition' && place.index === index;
  });
}
