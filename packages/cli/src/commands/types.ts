import type { ConnectionFlags } from '../service/connection.ts';
import { putText } from '../output/present.ts';
import { openService } from '../service/service.ts';
import type { Session } from '../service/session.ts';
import { modelsSource } from '../types-generator/models-source.ts';
import type { Int64 } from '../types-generator/type-source.ts';

export interface TypesFlags extends ConnectionFlags {
  readonly int64: Int64;
}

/** `dq types`: the source of the SDK's types. */
export async function printTypes(flags: TypesFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const { client } = await openService(flags, session);
  await putText(
    terminal.stdout,
    modelsSource(await client.models({ signal: terminal.signal }), flags.int64),
  );
}
