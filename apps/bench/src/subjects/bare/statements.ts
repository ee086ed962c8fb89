/** The database writes the page as one JSON text, with the encodings of the contract. */
export function postgresRows(table: string, limit: string, offset: string): string {
  const columns =
    '"t"."id" as "c0", "t"."created_at" as "c1", "t"."name" as "c2", ' +
    '"t"."amount" as "c3", "t"."flag" as "c4"';
  const members = [
    `'{"id":' || coalesce(to_json("c0"::text)::text, 'null')`,
    `',"created_at":' || coalesce(to_json("c1")::text, 'null')`,
    `',"name":' || coalesce(to_json("c2"::text)::text, 'null')`,
    `',"amount":' || coalesce(to_json("c3"::text)::text, 'null')`,
    `',"flag":' || coalesce(to_json("c4")::text, 'null') || '}'`,
  ];
  const page =
    `select ${columns} from "${table}" as "t" order by "t"."id" asc ` +
    `limit ${limit} offset ${offset}`;
  return (
    `select '[' || coalesce(string_agg(${members.join(' || ')}, ','), '') || ']' ` +
    `from (${page}) as "p"`
  );
}

/** As {@link postgresRows}, with the length of the list beside it. */
export function postgresRowsAndTotal(table: string, limit: string, offset: string): string {
  return `select
    (${postgresRows(table, limit, offset)}) as "rows",
    (select count(*) from "${table}") as "total"`;
}

/** Plain columns, of which Node makes the JSON. */
export function mariadbRows(
  table: string,
  { limit, offset }: { readonly limit: string; readonly offset: string },
  ...more: string[]
): string {
  const columns = ['id', 'created_at', 'name', 'amount', 'flag', ...more];
  return (
    `select ${columns.join(', ')} from \`${table}\` order by id ` +
    `limit ${limit} offset ${offset}`
  );
}

/** The database writes the page as one JSON text. */
export function sqliteRows(table: string, limit: string, offset: string): string {
  const flag = `json(case "c4" when 1 then 'true' else 'false' end)`;
  const members =
    `'id', cast("c0" as text), 'created_at', "c1", 'name', "c2", 'amount', ` +
    `cast("c3" as text), 'flag', ${flag}`;
  const columns =
    '"id" as "c0", "created_at" as "c1", "name" as "c2", "amount" as "c3", "flag" as "c4"';
  const page = `select ${columns} from "${table}" order by "id" limit ${limit} offset ${offset}`;
  return `select json_group_array(json_object(${members})) from (${page})`;
}
