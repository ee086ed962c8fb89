import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, it, type TestContext } from 'vitest';

import { fingerprintOf, watchSettings } from './watch.ts';

type Finish = Pick<TestContext, 'onTestFinished'>;

function folder({ onTestFinished }: Finish): string {
  const directory = mkdtempSync(join(tmpdir(), 'watch-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Watches a file and keeps the fingerprints that it had when it was handed over. */
async function watched(path: string, { onTestFinished }: Finish) {
  const seen: string[] = [];
  const changed = async (): Promise<boolean> => {
    seen.push(await fingerprintOf(path));
    return true;
  };
  const fingerprint = await fingerprintOf(path);
  onTestFinished(watchSettings({ path, fingerprint, changed, everyMs: 10 }));
  return seen;
}

/** A watched file that holds `one`, in a folder of its own. */
async function watchedFile(test: Finish) {
  const directory = folder(test);
  const path = join(directory, 'settings.yaml');
  writeFileSync(path, 'one');
  return { directory, path, seen: await watched(path, test) };
}

// Each waits for the file system.
describe.concurrent('a watched settings file is handed over', () => {
  it('when it is written, once for each content', async (test) => {
    const { expect } = test;
    const { path, seen } = await watchedFile(test);
    writeFileSync(path, 'two');
    await expect.poll(() => seen).toHaveLength(1);
    writeFileSync(path, 'three');
    await expect.poll(() => seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(2);
  });

  it('when another file takes its place, as editors do', async (test) => {
    const { expect } = test;
    const { path, seen } = await watchedFile(test);
    for (const [index, text] of ['two', 'three'].entries()) {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
      await expect.poll(() => seen).toHaveLength(index + 1);
    }
  });

  it('when the folder behind its symbolic link is swapped, as Kubernetes does', async (test) => {
    const { expect } = test;
    const mount = folder(test);
    const publish = (version: string, text: string): void => {
      mkdirSync(join(mount, version));
      writeFileSync(join(mount, version, 'settings.yaml'), text);
      symlinkSync(version, join(mount, '..data_tmp'));
      renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
    };
    publish('..1', 'one');
    symlinkSync(join('..data', 'settings.yaml'), join(mount, 'settings.yaml'));
    const seen = await watched(join(mount, 'settings.yaml'), test);
    publish('..2', 'two');
    await expect.poll(() => seen).toHaveLength(1);
    publish('..3', 'three');
    await expect.poll(() => seen).toHaveLength(2);
  });

  it('when it is gone, and when it is back with other content', async (test) => {
    const { expect } = test;
    const { path, seen } = await watchedFile(test);
    rmSync(path);
    await expect.poll(() => seen).toHaveLength(1);
    writeFileSync(path, 'two');
    await expect.poll(() => seen).toHaveLength(2);
  });

  it('although somebody touches it all the time', async (test) => {
    const { expect } = test;
    const { path, seen } = await watchedFile(test);
    const touching = setInterval(() => utimesSync(path, new Date(), new Date()), 5);
    test.onTestFinished(() => clearInterval(touching));
    writeFileSync(path, 'two');
    await expect.poll(() => seen).toHaveLength(1);
  });
});

it.concurrent(
  'a watched settings file is not handed over for files that are written beside it, ' +
    'nor when it is touched',
  async (test) => {
    const { expect } = test;
    const { directory, path, seen } = await watchedFile(test);
    for (let turn = 0; turn < 50; turn++) {
      writeFileSync(join(directory, 'audit.jsonl'), `line ${turn}\n`, { flag: 'a' });
      writeFileSync(path, 'one');
      // The watch looks at it meanwhile.
      await fingerprintOf(path);
    }
    writeFileSync(path, 'two');
    await expect.poll(() => seen).toHaveLength(1);
    expect(seen).toEqual([await fingerprintOf(path)]);
  },
);
