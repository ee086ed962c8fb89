import type { RequestError } from '@proj/client';

import { type FilterPath, isGroup } from './filter-tree.ts';
import type { FilterNode, ViewState } from '../view-state.ts';

/** The control that an error of a request belongs to. */
export type ErrorPlace =
  | {
      readonly control:
        | 'model'
        | 'attributes'
        | 'conditions'
        | 'search'
        | 'sort'
        | 'page'
        | 'size'
        | 'request';
    }
  /** `operand` is the input within the condition; `null` where the whole condition is meant. */
  | {
      readonly control: 'condition';
      readonly path: FilterPath;
      readonly operand: number | null;
    };

/** What of a view travels as its filter. */
export type FilteredView = Pick<ViewState, 'filter' | 'search'>;

/** Where on the page to show what a JSON pointer (RFC 6901) into the body of a query names. */
export function errorPlace(pointer: string, view: FilteredView): ErrorPlace {
  const [, member = '', ...rest] = pointer.split('/');
  switch (member) {
    case 'query_model':
      return { control: 'model' };
    case 'query_attributes':
    case 'query_related':
      return { control: 'attributes' };
    case 'query_sort':
      return { control: 'sort' };
    case 'query_filter':
      return filterPlace(view, rest);
    // A facet has the filter of the view, but for what the facet itself chose.
    case 'query_facets':
      return { control: rest[1] === 'query_filter' ? 'conditions' : 'request' };
    case 'page':
      return { control: rest[0] === 'size' ? 'size' : 'page' };
    default:
      return { control: 'request' };
  }
}

/** The search travels as the last of the conditions that must all hold. */
function filterPlace({ filter, search }: FilteredView, tokens: readonly string[]): ErrorPlace {
  if (search === '') return nodePlace(filter, tokens, []);
  const isAll = filter.match === 'all';
  const before = isAll ? filter.parts.length : 1;
  const [, index, ...rest] = tokens;
  if (filter.parts.length === 0 || Number(index) === before) return { control: 'search' };
  const part = isAll ? filter.parts[Number(index)] : filter;
  return part === undefined
    ? { control: 'conditions' }
    : nodePlace(part, rest, isAll ? [Number(index)] : []);
}

/** Goes down the groups as they travel: one part stands for its group, `not` is a level more. */
function nodePlace(node: FilterNode, tokens: readonly string[], path: FilterPath): ErrorPlace {
  if (!isGroup(node)) return conditionPlace(path, tokens);
  const isNegated = node.match === 'not_all' || node.match === 'none';
  const inner = isNegated ? tokens.slice(1) : tokens;
  const [only] = node.parts;
  if (node.parts.length === 1 && only !== undefined) return nodePlace(only, inner, [...path, 0]);
  const [, index, ...rest] = inner;
  const part = node.parts[Number(index)];
  return part === undefined
    ? { control: 'conditions' }
    : nodePlace(part, rest, [...path, Number(index)]);
}

function conditionPlace(path: FilterPath, [member, operand]: readonly string[]): ErrorPlace {
  if (member !== 'value') return { control: 'condition', path, operand: null };
  return { control: 'condition', path, operand: operand === undefined ? 0 : Number(operand) };
}

/** The errors that belong to one kind of control. */
export function errorsAt(
  errors: readonly RequestError[],
  view: FilteredView,
  control: ErrorPlace['control'],
): readonly RequestError[] {
  return errors.filter(({ pointer }) => errorPlace(pointer, view).control === control);
}

/** The errors of the condition at that path. */
export function conditionErrors(
  errors: readonly RequestError[],
  view: FilteredView,
  path: FilterPath,
): readonly RequestError[] {
  return errors.filter(({ pointer }) => {
    const place = errorPlace(pointer, view);
    return place.control === 'condition' && place.path.join() === path.join();
  });
}
