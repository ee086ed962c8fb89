import { API_PATHS, requestBody } from '@proj/contract';

import type { ViewQuery } from '../state/view/view-query.ts';
import { shellQuote } from './shell-quote.ts';

/**
 * A shell command that asks for the page of a view. The token is read from DYNAMIC_QUERY_TOKEN,
 * never written out.
 */
export function asCurl(query: ViewQuery, baseUrl: string): string {
  return [
    `curl -sS ${shellQuote(new URL(API_PATHS.query, baseUrl).href)}`,
    `  -H "Authorization: Bearer $DYNAMIC_QUERY_TOKEN"`,
    `  -H 'Content-Type: application/json'`,
    `  --data-raw ${shellQuote(JSON.stringify(requestBody(query)))}`,
  ].join(' \\\n');
}
