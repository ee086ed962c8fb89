import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ProgramFiles } from '@proj/fastify/host';
import { afterAll, describe, expect, it } from 'vitest';

import { brandedFiles } from './explorer-branding.ts';

const folder = mkdtempSync(join(tmpdir(), 'branding-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILES: ProgramFiles = {
  names: ['index.html', 'assets/a.js'],
  read: (name) => Buffer.from(name === 'index.html' ? '<head></head>' : 'a'),
};

function picture(name: string, bytes: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe('the page of the explorer', () => {
  it('is as it was built where the settings say nothing', () => {
    expect(brandedFiles(FILES, {}, '')).toBe(FILES);
  });

  it('has name, logo and colour as texts that cannot be anything else', () => {
    const logo = picture('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const branding = { name: '"><script>$&', logo, colour: '#0a7d4f' };
    const files = brandedFiles(FILES, branding, '');
    expect(files.read('index.html').toString()).toBe(
      '<head><meta name="branding-name" content="&quot;&gt;&lt;script&gt;$&amp;">' +
        '<meta name="branding-logo" content="data:image/svg+xml;base64,' +
        'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=">' +
        '<meta name="branding-colour" content="#0a7d4f"></head>',
    );
    expect(files.read('assets/a.js').toString()).toBe('a');
  });

  it.each([
    [join(folder, 'none.png'), /cannot be read \(ENOENT.*Name an SVG or PNG file/],
    [picture('logo.gif', 'GIF89a'), /is neither \.svg nor \.png/],
    [picture('text.png', 'text'), /is not a picture of type image\/png/],
    [picture('large.svg', `<svg>${' '.repeat(65_536)}`), /has more than 64 KiB/],
  ])('has no logo that cannot be shown: %s', (logo, message) => {
    const brand = (): unknown => brandedFiles(FILES, { logo }, 'dynamic-query.yaml:3: ');
    expect(brand).toThrow(message);
    expect(brand).toThrow(`dynamic-query.yaml:3: branding.logo: ${logo} `);
  });
});
