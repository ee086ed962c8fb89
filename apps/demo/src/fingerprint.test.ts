import { describe, expect, it } from 'vitest';

import { demoFingerprint, installedManifest } from './fingerprint.ts';

describe('the fingerprint', () => {
  it('is twelve hexadecimal digits, the same on every call', () => {
    expect(demoFingerprint()).toMatch(/^[0-9a-f]{12}$/);
    expect(demoFingerprint()).toBe(demoFingerprint());
  });
});

describe('an installed manifest', () => {
  it('is found for a package that does not export its package.json', () => {
    expect(installedManifest('countries-list').version).toMatch(/^3\./);
  });
});
