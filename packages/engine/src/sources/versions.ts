/** The scope of versions that all relations of a database have in common. */
export const WHOLE_DATABASE = '';

/** That of relations whose rows are on several servers. */
export const SEVERAL_SERVERS = 'several servers';

/** Whether the scope is that of one relation whose changes are followed. */
export function isOfOneRelation(scope: string): boolean {
  return scope !== WHOLE_DATABASE && scope !== SEVERAL_SERVERS;
}

/**
 * Drops the versions of reads during which a connection to the server broke, and makes versions
 * from before unequal to later ones: a server that crashed may use the numbers of lost transactions
 * again.
 */
export class Versions {
  #breaks = 0;

  /** The form of a version that is the same in all processes. */
  static readonly shared = (version: string): string => version.slice(version.indexOf('/') + 1);

  /** How many connections have broken. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Versions from before are never equal to those from now on. */
  connectionBroke(): void {
    this.#breaks += 1;
  }

  /** What was read; without a version when a connection broke meanwhile. */
  async of<Read extends { readonly version: string | undefined }>(
    read: () => Promise<Read>,
  ): Promise<Read> {
    const before = this.#breaks;
    const found = await read();
    const holds = found.version !== undefined && this.#breaks === before;
    return { ...found, version: holds ? `${before}/${found.version}` : undefined };
  }
}
