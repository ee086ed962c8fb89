import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';

import { SettingsError } from '@proj/engine';
import { type ProgramFiles, withMeta } from '@proj/fastify/host';

import type { Branding } from '../../settings/groups/branding.ts';

const MOST_BYTES = 64 * 1024;

/** Logos by file ending, and how such files begin. */
const PICTURES = new Map([
  ['.svg', { type: 'image/svg+xml', isOne: (bytes: Buffer) => bytes.includes('<svg') }],
  ['.png', { type: 'image/png', isOne: (bytes: Buffer) => bytes.includes('PNG\r\n') }],
]);

/** @throws {SettingsError} when the logo is no picture that a page can show */
export function brandedFiles(files: ProgramFiles, branding: Branding, place: string): ProgramFiles {
  const { name, logo, colour } = branding;
  return withMeta(files, {
    'branding-name': name,
    'branding-logo': logo === undefined ? undefined : readLogo(logo, place),
    'branding-colour': colour,
  });
}

/** A data URL: the page loads nothing more, and a picture cannot run scripts. */
function readLogo(path: string, place: string): string {
  const refuse = (why: string): never => {
    throw new SettingsError(`${place}branding.logo: ${path} ${why}`);
  };
  const picture = PICTURES.get(extname(path).toLowerCase());
  if (picture === undefined) return refuse('is neither .svg nor .png.');
  const bytes = readSmall(path, refuse);
  if (!picture.isOne(bytes)) return refuse(`is not a picture of type ${picture.type}.`);
  return `data:${picture.type};base64,${bytes.toString('base64')}`;
}

function readSmall(path: string, refuse: (why: string) => never): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= MOST_BYTES) return readFileSync(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    return refuse(`cannot be read (${why}). Name an SVG or PNG file.`);
  }
  return refuse(`has more than ${MOST_BYTES / 1024} KiB. Make the picture smaller.`);
}
