import { Versions } from '@proj/engine/database';
import { beforeEach, expect, it } from 'vitest';

import type { Row } from './connection.ts';
import { ProvenVersions } from './proven-versions.ts';
import type { SessionStatement } from './session.ts';

const PAGE = {
  sql: 'case when is_plain then v end',
  parameters: [],
  proof: 'is_plain',
  named: true,
};

const WITH_PROOF = 'case when is_plain then v end';
const WITHOUT = 'case when true then v end';

let versions: Versions;
let proven: ProvenVersions;
let sent: string[];
let version: string | null;
beforeEach(() => {
  versions = new Versions();
  proven = new ProvenVersions(versions);
  sent = [];
  version = '1';
});

const ask = async (statement: SessionStatement): Promise<Row> => {
  sent.push(statement.sql);
  return ['[]', '0', version];
};

/** What is sent for so many reads. */
async function sentFor(reads: number, page: SessionStatement = PAGE): Promise<string[]> {
  sent = [];
  for (let read = 0; read < reads; read++)
    expect(await proven.read(page, ask)).toEqual(['[]', '0', version]);
  return sent;
}

it('leaves the proof of a definition out once two reads have proven it for one version', async () => {
  expect(await sentFor(4)).toEqual([WITH_PROOF, WITH_PROOF, WITHOUT, WITHOUT]);
});

it('sends a statement again, with the proof of the definition, when somebody has written', async () => {
  await sentFor(3);
  version = '2';
  expect(await sentFor(3)).toEqual([WITHOUT, WITH_PROOF, WITH_PROOF, WITHOUT]);
});

it('proves the definition in every statement while there is no version', async () => {
  await sentFor(3);
  version = null;
  expect(await sentFor(3)).toEqual([WITHOUT, WITH_PROOF, WITH_PROOF, WITH_PROOF]);
});

it('proves the definition anew after a connection has broken', async () => {
  await sentFor(3);
  versions.connectionBroke();
  expect(await sentFor(3)).toEqual([WITH_PROOF, WITH_PROOF, WITHOUT]);
});

it('knows the definition of each relation by itself', async () => {
  await sentFor(3);
  const other = { ...PAGE, sql: 'is_other', proof: 'is_other' };
  expect(await sentFor(2, other)).toEqual(['is_other', 'is_other']);
});
