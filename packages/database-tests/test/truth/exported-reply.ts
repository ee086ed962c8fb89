import type { Engine } from '@proj/engine';
import { pageMetadata } from '@proj/paging';

import { exported } from '../exported.ts';
import type { Reply } from './oracle.ts';
import { grantOf, type Question, type Request } from './requests.ts';

/** No page is so large, and no list so long. */
const WHOLE = 1_000_000;

/** A request for the whole list of a question, which stands for its export. */
export function wholeOf(question: Question): Request {
  return { question, page: 1, size: WHOLE, total: 'exact' };
}

/** Whether a request stands for an export. */
export function isWhole({ size }: Request): boolean {
  return size === WHOLE;
}

/** An export, as the page that would have all of its records. */
export async function exportedReply(
  engine: Pick<Engine, 'export'>,
  { question }: Request,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const grant = grantOf(question.audience);
  const terms = signal === undefined ? { grant } : { grant, signal };
  const { result, total } = await exported(engine, question, terms);
  return { result, page: pageMetadata({ page: 1, size: WHOLE }, total) };
}
