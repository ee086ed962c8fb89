import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** What a row takes at most while its table is made: the row, its key, and the log of writes. */
const BYTES_PER_ROW = 400;

/** @throws {Error} when the tables of one database would not fit where temporary files go. */
export async function checkFreeSpace(rows: number): Promise<void> {
  const needed = rows * BYTES_PER_ROW;
  const { bavail, bsize } = await statfs(tmpdir());
  const free = bavail * bsize;
  if (free >= needed) return;
  const [has, wants] = [free, needed].map((bytes) => `${(bytes / 1e9).toFixed(1)} GB`);
  throw new Error(
    `${tmpdir()} has ${has} free, and the tables may take ${wants}. ` +
      'Set TMPDIR, or pass smaller --rows.',
  );
}
