import { type RequestError, type QueryRequestReading, SORTABLE_TYPES } from '@proj/contract';

import { type Grant, visibleModels } from '../catalogue/grant.ts';
import type { Catalogue, Model } from '../catalogue/model.ts';
import type { ListNames } from './resolved-name.ts';
import { quote, suggestion } from './unknown-name.ts';

export type RequestMembers = Extract<QueryRequestReading, { ok: false }>['wellFormed'];

/** The same for models that do not exist and hidden ones. */
export function unknownModel(
  { query_model: name }: Pick<RequestMembers, 'query_model'>,
  catalogue: Catalogue,
  grant: Grant,
): RequestError[] {
  if (name === undefined) return [];
  const visible = visibleModels(catalogue, grant).map((model) => model.name);
  return [
    {
      pointer: '/query_model',
      code: 'unknown_model',
      detail: `No model is named ${quote(name)}.`,
      ...suggestion(name, visible),
    },
  ];
}

export function modelErrors(members: RequestMembers, names: ListNames): RequestError[] {
  const { model } = names;
  const { query_attributes: asked = [] } = members;
  return [
    ...asked.flatMap((one, index) => names.resolve(one, `/query_attributes/${index}`).error ?? []),
    ...sizeErrors(members, model),
    ...sortErrors(members, names),
    ...totalErrors(members, model),
  ];
}

function sizeErrors({ page }: RequestMembers, { maxPageSize }: Model): RequestError[] {
  if (page === undefined || page.size <= maxPageSize) return [];
  const detail = `/page/size: this model answers at most ${maxPageSize} records per page.`;
  return [{ pointer: '/page/size', code: 'size_too_large', detail, maximum: maxPageSize }];
}

function sortErrors({ query_sort: terms = [] }: RequestMembers, names: ListNames): RequestError[] {
  return terms.flatMap(({ attribute: name }, index): RequestError[] => {
    const pointer = `/query_sort/${index}/attribute`;
    const { attribute, error } = names.resolve(name, pointer);
    if (error !== undefined) return [error];
    if (SORTABLE_TYPES.has(attribute.type)) return [];
    const detail = `${quote(name)} is ${attribute.type}, which has no order.`;
    return [{ pointer, code: 'not_sortable', detail }];
  });
}

export function withLimits(
  errors: readonly RequestError[],
  { maxUpTo }: Model,
): readonly RequestError[] {
  return errors.map((error) => {
    if (error.pointer !== UP_TO) return error;
    const detail = `${UP_TO}: expected a whole number from 1 to ${maxUpTo}.`;
    return { ...error, detail, maximum: maxUpTo };
  });
}

const UP_TO = '/query_total/up_to';

function totalErrors({ query_total: total }: RequestMembers, { maxUpTo }: Model): RequestError[] {
  if (typeof total !== 'object' || total.up_to <= maxUpTo) return [];
  const detail = `${UP_TO}: at most ${maxUpTo} records are counted; "exact" counts all.`;
  return [{ pointer: UP_TO, code: 'invalid_query_total', detail, maximum: maxUpTo }];
}
