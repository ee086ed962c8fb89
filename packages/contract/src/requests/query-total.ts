import type { ContainingPage, NumberedPage } from './page.ts';
import { jsonPointer } from '../pointer.ts';
import type { RequestError } from '../problems.ts';

/** All of a request's total, nothing, or whether it passes a number of records. */
export type QueryTotal = 'exact' | 'none' | { readonly up_to: number };

/** The member, or its errors. */
export interface QueryTotalReading {
  readonly total?: QueryTotal;
  readonly errors: readonly RequestError[];
}

/** Without the operator's own limit. */
export function readQueryTotal(value: unknown): QueryTotalReading {
  if (value === 'exact' || value === 'none') return { total: value, errors: [] };
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'up_to'))
    return { errors: [invalid([], 'expected "exact", "none" or {"up_to": a whole number}')] };
  const { up_to: limit, ...others } = value as Readonly<Record<string, unknown>>;
  const errors = Object.keys(others).map(unknownMember);
  if (Number.isSafeInteger(limit) && Number(limit) >= 1)
    return errors.length > 0 ? { errors } : { total: { up_to: Number(limit) }, errors };
  return { errors: [invalid(['up_to'], 'expected a whole number of at least 1'), ...errors] };
}

/** A page found by a record takes a count, so it cannot go without a total. */
export function uncountedRecord({
  page,
  query_total: total = 'exact',
}: {
  readonly page?: NumberedPage | ContainingPage | undefined;
  readonly query_total?: QueryTotal | undefined;
}): RequestError[] {
  if (page === undefined || !('containing' in page) || total !== 'none') return [];
  return [invalid([], 'expected "exact" or {"up_to": …} beside /page/containing')];
}

function invalid(path: readonly string[], expected: string): RequestError {
  const pointer = pointerTo(path);
  return { pointer, code: 'invalid_query_total', detail: `${pointer}: ${expected}.` };
}

function unknownMember(name: string): RequestError {
  const pointer = pointerTo([name]);
  return { pointer, code: 'unknown_member', detail: `${pointer} is not part of the request.` };
}

function pointerTo(path: readonly string[]): string {
  return jsonPointer(['query_total', ...path]);
}
