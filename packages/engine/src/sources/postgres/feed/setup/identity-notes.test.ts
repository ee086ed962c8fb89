import { describe, expect, it } from 'vitest';

import type { FeedFacts, RelationFacts, TableFacts } from './facts.ts';
import { identityNotes } from './identity-notes.ts';

const TABLE: TableFacts = {
  name: 'public.orders',
  owner: 'app',
  kind: 'table',
  hasChildren: false,
  obstacle: null,
  identity: 'key',
  candidate: null,
  isPublished: true,
  hasRowFilter: false,
  hasColumnList: false,
};

function relationOf(name: string, table: Partial<TableFacts>, rows = 200_000): RelationFacts {
  const tables = [{ ...TABLE, name, ...table }];
  return { path: ['public', name], name, estimatedRows: rows, tables };
}

function notesOf(...relations: readonly RelationFacts[]): string[] {
  return identityNotes({ relations, publication: {} } as unknown as FeedFacts);
}

describe('what is said of replica identities', () => {
  it('names the followed relations that have whole rows in the log', () => {
    const tables = [
      { ...TABLE, kind: 'partitioned' as const },
      { ...TABLE, identity: 'full' as const },
    ];
    const parted = { ...relationOf('parted', {}), tables };
    const notes = notesOf(relationOf('orders', { identity: 'full' }, 10), parted);
    expect(notes).toEqual([expect.stringMatching(/^orders, parted: REPLICA IDENTITY FULL, so/)]);
  });

  it('names the price where a large relation has not, without a statement to run', () => {
    const small = relationOf('small', {}, 10);
    const tables = [TABLE, { ...TABLE, identity: 'full' as const }];
    const mixed = { ...relationOf('mixed', {}), tables };
    const notes = notesOf(relationOf('orders', {}), small, mixed);
    expect(notes).toEqual([expect.stringMatching(/^orders, mixed: .* 1\.4 to 6 times the WAL/)]);
    expect(notes.join()).not.toContain('alter table');
  });

  it('is nothing of relations that are not followed', () => {
    const unfollowed = [
      relationOf('unpublished', { isPublished: false }),
      relationOf('secret', { obstacle: 'row_security', identity: 'full' }),
    ];
    expect(notesOf(...unfollowed)).toEqual([]);
    const relations = [relationOf('orders', {})];
    expect(identityNotes({ relations, publication: null } as unknown as FeedFacts)).toEqual([]);
  });
});
