import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { ROOT } from '../repository.ts';

/** The folder of the Compose file. */
export const COMPOSE_FOLDER = join(ROOT, 'deploy/compose');

/** A service of the Compose file, as far as the tests read it. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, object>>;
  readonly networks: {
    readonly default: {
      readonly ipam: { readonly config: readonly [{ readonly subnet: string }] };
    };
  };
}

/** The Compose file of the repository, with its anchors resolved. */
export function readComposeFile(): ComposeFile {
  const text = readFileSync(join(COMPOSE_FOLDER, 'compose.yaml'), 'utf8');
  return parse(text, { merge: true }) as ComposeFile;
}
