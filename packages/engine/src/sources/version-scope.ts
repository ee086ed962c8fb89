/** The scope of versions that all relations of a database have in common. */
export const WHOLE_DATABASE = '';

/** That of relations whose rows are on several servers. */
export const SEVERAL_SERVERS = 'several servers';

/** Whether the scope is that of one relation whose changes are followed. */
export function isOfOneRelation(scope: string): boolean {
  return scope !== WHOLE_DATABASE && scope !== SEVERAL_SERVERS;
}
