import { readFile } from 'node:fs/promises';

import { FailedError, OutdatedError } from '../failure.ts';
import { putText } from '../output/present.ts';
import { type ConnectionFlags, openService } from '../service/service.ts';
import type { Session } from '../terminal/terminal.ts';
import { commandIn, type Int64, modelsSource, tagOf } from '../types-generator/models-source.ts';

export interface TypesFlags extends ConnectionFlags {
  readonly int64: Int64;
  /** The file to check; types are printed where absent. */
  readonly check?: string;
}

export async function printTypes(flags: TypesFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const source = flags.check === undefined ? undefined : await readSource(flags.check);
  const { client } = await openService(flags, session);
  const catalogue = await client.catalogue({ signal: terminal.signal });
  if (source === undefined) await putText(terminal.stdout, modelsSource(catalogue, flags.int64));
  else checkSource(source, catalogue.tag);
}

interface Source {
  readonly file: string;
  readonly text: string;
}

async function readSource(file: string): Promise<Source> {
  try {
    return { file, text: await readFile(file, 'utf8') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FailedError(`${reason}. Write the types with: dq types > ${file}`);
  }
}

/** A file's layout may have changed since, so only its catalogue tag counts. */
function checkSource({ file, text }: Source, current: string | null): void {
  if (current === null)
    throw new FailedError('the service does not name its catalogue. Update the service.');
  const tag = tagOf(text);
  if (tag === current) return;
  const why = tag === undefined ? 'does not name its catalogue' : 'is of another catalogue';
  throw new OutdatedError(`${file} ${why}. Write it anew: ${commandIn(text)} > ${file}`);
}
