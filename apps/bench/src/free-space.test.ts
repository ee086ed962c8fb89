import { expect, test } from 'vitest';

import { checkFreeSpace } from './free-space.ts';

test('tables that cannot fit are refused before they are made', async () => {
  await expect(checkFreeSpace(1e15)).rejects.toThrow(
    /free, and the tables may take 400000000\.0 GB/,
  );
  await expect(checkFreeSpace(1000)).resolves.toBeUndefined();
});
