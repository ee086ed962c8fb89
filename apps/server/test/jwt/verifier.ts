import { onTestFinished } from 'vitest';

import {
  createJwtVerifier,
  type JwtVerifier,
  type JwtVerifierParts,
} from '../../src/access/jwt/jwt.ts';
import type { JwtSettings } from '../../src/settings/groups/jwt.ts';

/** A verifier that ends with the test, and what it logs. */
export function startVerifier(
  settings: readonly JwtSettings[],
  parts: JwtVerifierParts = {},
): { verifier: JwtVerifier; lines: string[] } {
  const lines: string[] = [];
  const write = (...line: readonly unknown[]): void => void lines.push(JSON.stringify(line));
  const verifier = createJwtVerifier(settings, {
    log: { info: write, warn: write },
    onRefusal: (refusal) => write(refusal, 'a token was refused'),
    ...parts,
  });
  onTestFinished(() => verifier.close());
  return { verifier, lines };
}
