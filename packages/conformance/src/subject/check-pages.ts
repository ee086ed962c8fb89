import { Violation } from '../demand.ts';
import type { ReadPage, Subject } from './subject.ts';

/** A page that rules look at. */
interface TriedPage {
  readonly page: number;
  readonly size: number;
  readonly beyond: boolean;
}

/**
 * First pages, middle ones, the last one and those past it, in sizes that do not divide each other.
 */
async function pagesToTry(subject: Subject): Promise<TriedPage[]> {
  const total = Number(await subject.count());
  return [1, 3, 7].flatMap((size) => {
    const last = Math.max(1, Math.ceil(total / size));
    const pages = [...new Set([1, 2, Math.ceil(last / 2), last, last + 1, last + 1000])];
    return pages.map((page) => ({ page, size, beyond: page > last }));
  });
}

/**
 * Reads many pages and checks each. That pages past the end are answered at all is a rule of its
 * own.
 */
export async function checkPages(
  subject: Subject,
  check: (read: ReadPage, at: TriedPage) => void,
): Promise<void> {
  for (const at of await pagesToTry(subject)) {
    const read = await subject.read(at).catch((error: unknown) => {
      if (at.beyond && error instanceof Violation) return undefined;
      throw error;
    });
    if (read !== undefined) check(read, at);
  }
}
