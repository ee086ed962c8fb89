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
  return isPage(page) ? { page, rest: JSON.stringify(rest) } : undefined;
}

function isPage(value: unknown): value is SplitRequest['page'] {
  if (typeof value !== 'object' || value === null) return false;
  const { page, containing, size } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(value).length !== 2 || !isCount(size)) return false;
  if ('page' in value) return isCount(page);
  return typeof containing === 'object' && containing !== null && !Array.isArray(containing);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
