import { readFileSync } from 'node:fs';

import postject from 'postject';

/** Where Node looks for the program that it is to run, and the mark that says it is there. */
const RESOURCE = 'NODE_SEA_BLOB';
const SENTINEL = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Puts a prepared program into a copy of Node. */
export async function inject(executable: string, blob: string): Promise<void> {
  await postject.inject(executable, RESOURCE, readFileSync(blob), { sentinelFuse: SENTINEL });
}
