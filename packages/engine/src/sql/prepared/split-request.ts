import type { ContainingPage } from '@proj/contract';

/** Which page of a list, and how many records it has. */
export interface PageNumber {
  readonly page: number;
  readonly size: number;
}

/** A request whose page is well-formed, with the JSON text of the rest of it. */
export interface SplitRequest {
  /** Its number, or the record that it holds. */
  readonly page: PageNumber | ContainingPage;
  readonly rest: string;
}

/**
 * Splits the page from a request, so that requests for pages of one list have one text. Undefined
 * where the page is not well-formed: such a request is left to the checks that name its errors.
 */
export function splitRequest(body: unknown): SplitRequest | undefined {
  if (typeof body !== 'object' || body === null || !('page' in body)) return undefined;
  const { page, ...rest } = body;
  if (isPageNumber(page))
    return { page: { page: page.page, size: page.size }, rest: JSON.stringify(rest) };
  return isContaining(page) ? { page, rest: JSON.stringify(rest) } : undefined;
}

function isContaining(value: unknown): value is ContainingPage {
  if (typeof value !== 'object' || value === null) return false;
  if (!('containing' in value && 'size' in value) || Object.keys(value).length !== 2) return false;
  const { containing, size } = value;
  const isObject = typeof containing === 'object' && containing !== null;
  return isObject && !Array.isArray(containing) && isCount(size);
}

function isPageNumber(value: unknown): value is PageNumber {
  if (typeof value !== 'object' || value === null) return false;
  if (!('page' in value && 'size' in value)) return false;
  return isCount(value.page) && isCount(value.size) && Object.keys(value).length === 2;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
