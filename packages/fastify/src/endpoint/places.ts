import type { Route } from './route.ts';

/** A path, and what is there by several methods. */
export interface Place<Of extends Route = Route> {
  readonly path: string;
  readonly routes: readonly Of[];
}

/** Finds the routes of a path, whatever the method. */
export class Places<Of extends Route = Route> {
  readonly #places: readonly (Place<Of> & { readonly parts: readonly string[] })[];

  /** @param prefix precedes the paths, such as `/data` */
  constructor(routes: readonly Of[], prefix = '') {
    const byPath = Map.groupBy(routes, ({ path }) => `${prefix}/${path}`);
    this.#places = Array.from(byPath, ([path, ofPath]) => {
      return { path, parts: path.split('/'), routes: ofPath };
    });
  }

  at(path: string): Place<Of> | undefined {
    const asked = path.split('/');
    return this.#places.find(
      ({ parts }) =>
        parts.length === asked.length &&
        parts.every((part, index) => (part.startsWith(':') ? asked[index] : asked[index] === part)),
    );
  }
}
