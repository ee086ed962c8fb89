/** THE table of what the members of a request are called in the arguments of the tools. */
const ARGUMENTS: readonly (readonly [pointer: string, argument: string])[] = [
  ['/query_model', 'model'],
  ['/query_attributes', 'attributes'],
  ['/query_filter', 'filter'],
  ['/query_sort', 'sort'],
  ['/query_related', 'related'],
  ['/query_group_filter', 'having'],
  ['/query_groups', 'by'],
  ['/query_aggregates', 'compute'],
  ['/query_facets', 'compute'],
  ['/query_total', 'total'],
  ['/page/containing', 'key'],
  ['/page/page', 'page'],
  ['/page/size', 'size'],
];

/** The argument that a JSON pointer of the service leads to, such as `filter/and/0/value`. */
export function argumentAt(pointer: string): string {
  const [member, argument] =
    ARGUMENTS.find(([start]) => pointer === start || pointer.startsWith(`${start}/`)) ?? [];
  return member === undefined ? pointer : `${argument}${pointer.slice(member.length)}`;
}
