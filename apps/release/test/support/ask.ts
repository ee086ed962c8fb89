/** What came back, as a caller sees it. */
export interface Reply {
  readonly status: number;
  /** The code of the problem; undefined for a reply that is none. */
  readonly code: string | undefined;
  readonly text: string;
  readonly headers: Headers;
}

/** One page of a model. */
export interface PageQuery {
  readonly query_model: string;
  readonly query_attributes: readonly string[];
  readonly page: { readonly page: number; readonly size: number };
  readonly [member: string]: unknown;
}

/** A page of `items`, or what differs from it. */
export function itemsPage(more: Partial<PageQuery> = {}): PageQuery {
  return {
    query_model: 'items',
    query_attributes: ['id', 'name'],
    page: { page: 1, size: 5 },
    ...more,
  };
}

/** A page that takes longer than any time limit of the suite. */
export const SLOW_PAGE: PageQuery = {
  query_model: 'slow',
  query_attributes: ['id'],
  page: { page: 1, size: 5 },
};

/** Reads a response whole. */
export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, code: codeOf(text), text, headers: response.headers };
}

function codeOf(text: string): string | undefined {
  return /"code":"(\w+)"/.exec(text)?.[1];
}
