import { nameText, nameTexts } from '@proj/contract';
import {
  type Column,
  type ForeignKeyFinding,
  foreignKeyFindings,
  type Relation,
  whyDistributed,
  whyNoKey,
} from '@proj/engine';
import { Document, type Pair, stringify, YAMLMap } from 'yaml';

import { databaseKind } from '../settings/database-kinds.ts';
import { withoutReferences } from '../settings/file/references.ts';
import type { FileLists } from '../settings/file-lists.ts';

const HEADER =
  ' What Dynamic Query serves. Delete what callers should not see; check with: dynamic-query check';

/** Off, because the server has to be prepared for it. */
const FOLLOW = [
  ' Follow the changes of the server, so that totals and deep pages stay quick while it is ' +
    'written: docs/guides/follow-changes.md',
  ' follow: true',
].join('\n');

/** Tells database policies who asks. */
const SESSIONS = [
  ' Tables with policies show their rows to callers whose roles say who they are: ' +
    'docs/guides/row-level-security.md',
  ' roles:',
  '   callers:',
  '     models: all',
  '     database_session: { role: authenticated, settings: { app.tenant: $claims.tenant } }',
].join('\n');

export interface DraftedDatabase {
  /** Undefined where it is the only one. */
  readonly name?: string | undefined;
  readonly database: string;
  readonly relations: readonly Relation[];
  /** What the models of a `duckdb:` without a path show. */
  readonly files?: FileLists | undefined;
}

/** Lists every attribute by name, so that nothing is exposed unreviewed later. */
export function settingsDraft(databases: readonly DraftedDatabase[], schema?: string): string {
  const document = new Document({});
  // Editors look for the schema in the first line.
  const first = schema === undefined ? '' : ` yaml-language-server: $schema=${schema}\n\n`;
  document.commentBefore = first + HEADER;
  const comments: string[] = [];
  for (const drafted of databases) {
    const { name, relations } = drafted;
    document.setIn(name === undefined ? [] : ['databases', name], databaseNode(drafted, document));
    const unservable = withoutNamesakes(relations).filter((relation) => !isServable(relation));
    const lines = unservable.flatMap(leftOut);
    if (name !== undefined && lines.length > 0) comments.push(` Of ${name}:`);
    comments.push(...lines);
  }
  document.comment = comments.join('\n');
  return document.toString({ lineWidth: 0 });
}

function databaseNode(drafted: DraftedDatabase, document: Document): YAMLMap {
  const { name, database, relations, files = {} } = drafted;
  const [key, variable] =
    name === undefined ? ['database', 'DATABASE_URL'] : ['url', `${name.toUpperCase()}_URL`];
  const expose = document.createPair('expose', 'listed');
  if (databaseKind(database)?.canFollow === true) expose.key.commentBefore = FOLLOW;
  const models = new YAMLMap();
  const found = Map.groupBy(foreignKeyFindings(relations), ({ model }) => model);
  for (const relation of withoutNamesakes(relations).filter(isServable)) {
    const node = modelNode(relation, found.get(relation.name) ?? [], document);
    const shown = Object.hasOwn(files, relation.name) ? files[relation.name] : undefined;
    if (shown !== undefined) node.items.unshift(...filesPairs(shown.files, document));
    models.add(document.createPair(relation.name, node));
  }
  const pair = document.createPair('models', models);
  if (name === undefined && relations.some(({ hasPolicies }) => hasPolicies === true))
    pair.key.commentBefore = SESSIONS;
  const node = new YAMLMap();
  node.add(document.createPair(key, withoutSecret(database, variable)));
  node.add(expose);
  node.add(pair);
  return node;
}

/** Of relations with one name, as a table `a.b` and a table `b` of a schema `a`, one is found. */
function withoutNamesakes(relations: readonly Relation[]): Relation[] {
  const first = new Map<string, Relation>();
  return relations.map((relation) => {
    const { name, path } = relation;
    const found = first.get(name);
    if (found === undefined) first.set(name, relation);
    if (found === undefined) return relation;
    const both = [path, found.path].map((one) => one.map((part) => `"${part}"`).join('.'));
    const unusable = `It is ${both[0]}, and only ${both[1]} is found by this name: rename one.`;
    return { ...relation, unusable };
  });
}

function isServable(relation: Relation): boolean {
  const { keys, unusable } = relation;
  return keys.length > 0 && unusable === undefined && whyDistributed(relation) === undefined;
}

/** A password stays in the environment. */
function withoutSecret(database: string, variable: string): string {
  return /:\/\/[^/?#]*:[^/?#]*@/.test(database) || /[?&]password=/i.test(database)
    ? `\${${variable}}`
    : withoutReferences(database);
}

function modelNode(
  relation: Relation,
  foreignKeys: readonly ForeignKeyFinding[],
  document: Document,
): YAMLMap {
  const model = new YAMLMap();
  if (relation.description !== null)
    model.add(document.createPair('description', withoutReferences(relation.description)));
  // Keys apart from what SQLite allows: NULL in a primary key.
  const { keys, nearKey } = relation;
  const key = keys.length > 0 && nearKey?.holdsNull === false ? nearKey.columns : undefined;
  if (key !== undefined) model.add(keyPair(key, document));
  const attributes = new YAMLMap();
  for (const column of relation.columns)
    if (key === undefined || !isRowNumber(column, relation))
      attributes.add(document.createPair(column.name, attributeNode(column, relation)));
  const pair = document.createPair('attributes', attributes);
  const noted = foreignKeys.filter(({ named }) => named === undefined);
  if (noted.length > 0) pair.key.commentBefore = noted.map(relationNote).join('\n');
  model.add(pair);
  const others = JSON.stringify(foreignKeys.flatMap(({ named }) => (named ? [named] : [])));
  const relations = new Map(JSON.parse(withoutReferences(others)) as [string, object][]);
  if (relations.size > 0) model.add(document.createPair('relations', relations));
  return model;
}

function filesPairs(files: string, document: Document): Pair[] {
  const key = document.createNode('rows');
  key.comment = ' or columns that are unique together, such as [id]';
  return [document.createPair('files', withoutReferences(files)), document.createPair('key', key)];
}

/** ` relation: customer → customers`, or why a foreign key is none. */
function relationNote({ columns, target, name, why }: ForeignKeyFinding): string {
  const to = nameText(target.at(-1) ?? '');
  return why === undefined
    ? ` relation: ${name} → ${to}`
    : ` no relation: ${nameTexts(columns)} → ${to}: ${why}`;
}

function keyPair(columns: readonly string[], document: Document): Pair {
  const node = document.createNode(columns.map(withoutReferences), { flow: true });
  node.comment =
    ' no row has NULL there, though SQLite allows it; without this line the key is the number ' +
    'of the row';
  return document.createPair('key', node);
}

function isRowNumber({ name }: Column, { keys, nearKey }: Relation): boolean {
  return nearKey !== undefined && keys[0]?.[0]?.column === name;
}

function attributeNode(column: Column, relation: Relation): YAMLMap {
  const node = new YAMLMap();
  node.flow = true;
  if (column.description !== null) node.set('description', withoutReferences(column.description));
  const about = [
    column.nullable ? ', may be null' : '',
    isRowNumber(column, relation) ? rowNumberReason(relation) : '',
  ];
  node.comment = ` ${column.type}${about.join('')}${foundForms(column)}`;
  return node;
}

/** Why the row number is the key despite a near key. */
function rowNumberReason({ nearKey }: Relation): string {
  const columns = nameTexts(nearKey?.columns ?? []);
  return nearKey?.holdsNull === true
    ? `; the key, as ${columns} is NULL in some row`
    : `; the key, as ${columns} may be NULL`;
}

/** `; found: 98 × YYYY-MM-DD, 2 × integer` */
function foundForms({ storedForms = [] }: Column): string {
  const forms = storedForms.map(({ form, rows }) => `${rows} × ${form}`).join(', ');
  const numbers = storedForms.some(({ form }) => form === 'integer' || form === 'real');
  const hint = numbers ? '; say what the numbers count with stored_as' : '';
  return `${forms && `; found: ${forms}`}${hint}`;
}

/** Why a relation is left out, and the settings that serve it anyway. */
function leftOut(relation: Relation): string[] {
  const { name, kind, keys, unusable } = relation;
  const title = ` ${name} (${kind}) is left out.`;
  if (unusable !== undefined) return [oneLine(`${title} ${unusable}`)];
  const distributed = whyDistributed(relation);
  const noKey = keys.length > 0 ? undefined : whyNoKey(relation);
  const problems = [distributed, noKey?.problem].flatMap((problem) => problem ?? []);
  const settings = {
    ...(distributed !== undefined && { distributed: 'approximate' }),
    ...(noKey && { key: noKey.columns.map(withoutReferences) }),
    attributes: 'all',
  };
  const remedy = noKey?.remedy ?? 'To accept that, which its replies say then';
  const line = stringify(settings, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  const why = oneLine(`${title} ${problems.join(' ')} ${remedy}:`);
  return [why, `   ${JSON.stringify(name)}: ${line}`];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
