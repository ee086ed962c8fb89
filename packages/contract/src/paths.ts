/** Relative to a service's base URL, which may have a path prefix. */
export const API_PATHS = {
  /** `POST` or `QUERY`: one page of a model. */
  query: 'api/v1/dynamic/query',
  /** `POST` or `QUERY`: the whole list of a model, as a file. */
  export: 'api/v1/dynamic/export',
  /** `POST` or `QUERY`: values and distributions of a model's attributes. */
  facets: 'api/v1/dynamic/facets',
  /** `POST` or `QUERY`: events when the list of a model changes. */
  watch: 'api/v1/dynamic/watch',
  /** `GET`: the models that the token may see; one of them at {@link modelPath}. */
  models: 'api/v1/dynamic/models',
} as const;

/** The path of one model's entry in the catalogue. */
export function modelPath(name: string): string {
  return `${API_PATHS.models}/${encodeURIComponent(name)}`;
}
