import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dq } from './dq.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A file as `dq types` writes it, of a service of its own. */
async function written(...flags: string[]): Promise<{ url: string; file: string }> {
  const { url } = await serve(cities(1));
  const file = join(await temporaryFolder(), 'models.ts');
  const { stdout } = await dq(['types', ...flags], { url });
  await writeFile(file, stdout);
  return { url, file };
}

/** A service whose model has one attribute less. */
async function changedService(): Promise<string> {
  const { entry, records } = cities(1);
  const changed = { ...entry, attributes: entry.attributes.slice(0, -1) };
  return (await serve({ entry: changed, records })).url;
}

describe('dq types --check', () => {
  it('prints nothing where the file is of the catalogue', async () => {
    const { url, file } = await written();
    expect(await dq(['types', '--check', file], { url })).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('does not mind how a formatter has laid out the file', async () => {
    const { url, file } = await written();
    const source = await readFile(file, 'utf8');
    await writeFile(
      file,
      source.replaceAll('"', "'").replaceAll(';\n', '\n').replaceAll('  ', '\t'),
    );
    expect((await dq(['types', '--check', file], { url })).exitCode).toBe(0);
  });

  it.each([
    [[], 'dq types'],
    [['--int64', 'bigint'], 'dq types --int64 bigint'],
  ])(
    'fails by an exit code of its own after a change, and names the command: %j',
    async (flags, command) => {
      const { file } = await written(...flags);
      expect(await dq(['types', '--check', file], { url: await changedService() })).toEqual({
        exitCode: 3,
        stdout: '',
        stderr: `dq: ${file} is of another catalogue. Write it anew: ${command} > ${file}\n`,
      });
    },
  );

  it('fails alike where a file of an earlier dq names no catalogue', async () => {
    const { url, file } = await written();
    const source = await readFile(file, 'utf8');
    await writeFile(file, source.replace(/^export const catalogueTag.*$/m, ''));
    const { exitCode, stderr } = await dq(['types', '--check', file], { url });
    expect(exitCode).toBe(3);
    expect(stderr).toBe(
      `dq: ${file} does not name its catalogue. Write it anew: dq types > ${file}\n`,
    );
  });

  it('asks nothing of the service where there is no file', async () => {
    const { exitCode, stderr } = await dq(['types', '--check', '/no/models.ts'], {
      url: 'http://127.0.0.1:9',
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/ENOENT.*Write the types with: dq types > \/no\/models\.ts\n$/);
  });

  it('fails where the service does not name its catalogue', async () => {
    const { file } = await written();
    const { url } = await serve(cities(1), {
      after: (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } }),
    });
    const { exitCode, stderr } = await dq(['types', '--check', file], { url });
    expect(exitCode).toBe(1);
    expect(stderr).toBe('dq: the service does not name its catalogue. Update the service.\n');
  });
});
