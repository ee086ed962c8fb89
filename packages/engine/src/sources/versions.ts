export const WHOLE_DATABASE = '';

export const SEVERAL_SERVERS = 'several servers';

/** Whether the scope is that of one relation whose changes are followed. */
export function isOfOneRelation(scope: string): boolean {
  return scope !== WHOLE_DATABASE && scope !== SEVERAL_SERVERS;
}

/** After a break versions never equal earlier ones: a crashed server may reuse lost numbers. */
export class Versions {
  #breaks = 0;

  static readonly shared = (version: string): string => version.slice(version.indexOf('/') + 1);

  get breaks(): number {
    return this.#breaks;
  }

  connectionBroke(): void {
    this.#breaks += 1;
  }

  /** Drops the version when a connection broke meanwhile. */
  async of<Read extends { readonly version: string | undefined }>(
    read: () => Promise<Read>,
  ): Promise<Read> {
    const before = this.#breaks;
    const found = await read();
    const holds = found.version !== undefined && this.#breaks === before;
    return { ...found, version: holds ? `${before}/${found.version}` : undefined };
  }
}
