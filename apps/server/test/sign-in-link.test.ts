import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { SignInCode } from '../src/access/sign-in-code.ts';
import { startService, temporaryDatabase, until } from './helper.ts';
import { startServer } from './server-process.ts';

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
  readonly payload?: object;
}

async function serviceWithLink() {
  const signInCode = new SignInCode('the token', () => 0);
  const { app } = await startService({ parts: { signInCode, corsOrigins: ['https://a.example'] } });
  const exchange = async ({
    headers = {},
    payload = { code: signInCode.code },
    ...more
  }: Asked = {}) =>
    app.inject({
      method: 'POST',
      url: '/sign-in',
      headers: { host: '127.0.0.1:3000', ...headers },
      payload,
      ...more,
    });
  return { app, exchange };
}

describe('POST /sign-in', () => {
  it('gives the temporary token for the code, once, and nobody keeps the reply', async () => {
    const { exchange } = await serviceWithLink();
    const reply = await exchange({ headers: { origin: 'http://127.0.0.1:3000' } });
    expect(reply.json()).toEqual({ token: 'the token' });
    expect(reply.headers['cache-control']).toBe('no-store');
    const second = await exchange();
    expect(second).toBeProblem('sign_in_refused');
    expect(second.json<{ detail: string }>().detail).toBe(
      'The link was used already: it signs in once.',
    );
  });

  it.each<[title: string, problem: 'sign_in_refused' | 'origin_refused', asked: Asked]>([
    ['another code', 'sign_in_refused', { payload: { code: 'x' } }],
    ['no code', 'sign_in_refused', { payload: {} }],
    ['a code that is no text', 'sign_in_refused', { payload: { code: 1 } }],
    ['a caller on another machine', 'sign_in_refused', { remoteAddress: '192.0.2.7' }],
    ['a caller behind a proxy', 'sign_in_refused', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
    [
      'a caller behind another proxy',
      'sign_in_refused',
      { headers: { forwarded: 'for=192.0.2.7' } },
    ],
    ['a page of another origin', 'origin_refused', { headers: { origin: 'https://b.example' } }],
    [
      'a page of an origin that may ask for records',
      'origin_refused',
      { headers: { origin: 'https://a.example' } },
    ],
    ['a page without an origin', 'origin_refused', { headers: { origin: 'null' } }],
    ['a name that leads to this machine', 'origin_refused', { headers: { host: 'evil.example' } }],
  ])('refuses %s, whose code is not used up by that', async (_, problem, asked) => {
    const { exchange } = await serviceWithLink();
    const reply = await exchange(asked);
    expect(reply).toBeProblem(problem);
    expect(reply.body).not.toContain('the token');
    expect((await exchange()).statusCode).toBe(200);
  });

  it('refuses a form, which a page of any origin may send without being asked', async () => {
    const { app } = await serviceWithLink();
    const reply = await app.inject({
      method: 'POST',
      url: '/sign-in',
      headers: { host: '127.0.0.1:3000', 'content-type': 'text/plain' },
      payload: '{}',
    });
    expect(reply).toBeProblem('unsupported_media_type');
  });

  it('is not there where no link was printed', async () => {
    const { app } = await startService();
    const reply = await app.inject({ method: 'POST', url: '/sign-in', payload: {} });
    expect(reply).toBeProblem('not_found');
  });
});

const LINK = /^ {2}(http:\/\/127\.0\.0\.1:\d+)\/#code=([\w-]+)$/m;

describe('a started server', () => {
  it('prints a link that signs in, where it has made the token itself', async () => {
    const { file } = temporaryDatabase();
    const { output } = await startServer(['--database', `sqlite:${file}`, '--expose', 'all']);
    const [, origin = '', code = ''] = LINK.exec(output()) ?? [];
    const exchange = async () =>
      fetch(`${origin}/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      });
    const { token } = (await (await exchange()).json()) as { token: string };
    expect(output()).toContain(`export DYNAMIC_QUERY_TOKEN=${token}`);
    expect((await exchange()).status).toBe(403);
  });

  it.each<[string, string[], Record<string, string>]>([
    ['it has a token of its own', [], { DYNAMIC_QUERY_ADMIN_TOKEN: 'x'.repeat(20) }],
    ['it has no explorer', ['explorer: false'], {}],
    ['it has several workers', ['workers: 2'], {}],
  ])('prints no such link where %s', async (_, lines, env) => {
    const { file, directory } = temporaryDatabase();
    const config = join(directory, 'settings.yaml');
    writeFileSync(config, [`database: sqlite:${file}`, 'expose: all', ...lines, ''].join('\n'));
    const { output } = await startServer(['--config', config], env);
    expect(output()).not.toContain('#code=');
  });

  it('with --open shows the browser a file of its own that leads to the link, and no command line has the code', async () => {
    const { file, directory } = temporaryDatabase();
    const opened = join(directory, 'opened');
    const opener = `#!/bin/sh\nls -l "$1" > ${opened}.part\ncat "$1" >> ${opened}.part\nmv ${opened}.part ${opened}\n`;
    for (const name of ['xdg-open', 'open'])
      writeFileSync(join(directory, name), opener, { mode: 0o755 });
    const { output, child, ended } = await startServer(
      ['--open', '--database', `sqlite:${file}`, '--expose', 'all'],
      { PATH: `${directory}:${process.env['PATH'] ?? ''}`, TMPDIR: directory },
    );
    await until(() => existsSync(opened));
    const [link = ''] = LINK.exec(output()) ?? [];
    const shown = readFileSync(opened, 'utf8');
    expect(shown).toMatch(/^-rw------- .*open\.html$/m);
    expect(shown).toContain(`url=${link.trim()}"`);
    child.kill('SIGTERM');
    await ended;
    expect(readdirSync(directory).filter((name) => name.startsWith('dynamic-query-'))).toEqual([]);
  });

  it('with --open says that no browser can be opened where none can, and goes on', async () => {
    const { file, directory } = temporaryDatabase();
    const { output, origin } = await startServer(
      ['--open', '--database', `sqlite:${file}`, '--expose', 'all'],
      { PATH: directory, TMPDIR: directory },
    );
    await until(() => output().includes('--open: no browser can be opened from here.'));
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
  });
});
