import { onTestFinished } from 'vitest';

import {
  createJwtVerifier,
  type JwtVerifier,
  type JwtVerifierParts,
} from '../../src/access/jwt.ts';
import type { JwtSettings } from '../../src/settings/jwt.ts';

/** A verifier that ends with the test, and what it logs. */
export function startVerifier(
  settings: readonly JwtSettings[],
  parts: JwtVerifierParts = {},
): { verifier: JwtVerifier; lines: string[] } {
  const lines: string[] = [];
  const write = (...line: readonly unknown[]): void => void lines.push(JSON.stringify(line));
  const verifier = createJwtVerifier(settings, {
    log: { debug: write, info: write, warn: write },
    ...parts,
  });
  onTestFinished(() => verifier.close());
  return { verifier, lines };
}
