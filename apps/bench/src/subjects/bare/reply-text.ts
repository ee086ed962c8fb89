import type { PageRequest } from '../../tables/bench-database.ts';
import type { RawPage } from './raw-page.ts';

/** The reply of a route, as the contract has it. */
export function replyText({ rows, total }: RawPage, { page, size }: PageRequest): string {
  const counted = total === undefined ? {} : { total, has_next: page * size < Number(total) };
  const metadata = { page: String(page), size: String(size), ...counted };
  return `{"result":${rows},"page":${JSON.stringify(metadata)}}`;
}
