import type { ContainingPage } from '@proj/contract';

export interface PageNumber {
  readonly page: number;
  readonly size: number;
}

export interface SplitRequest {
  readonly page: PageNumber | ContainingPage;
  readonly rest: string;
}

/** All pages of a list share the rest's text. Undefined for a malformed page. */
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
