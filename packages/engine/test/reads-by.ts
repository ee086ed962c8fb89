import type { Asked, Found, Read, ReadKind } from '../src/sources/read.ts';
import type { QueryPage, ReadCall, Reads, RowsRead } from '../src/sources/source.ts';
import type { RowsStatement } from '../src/sql/query-statements.ts';

type Answer<Question, Reply> = (asked: Question, call: ReadCall) => Promise<Reply>;

/** How each kind of reads is answered: pages by what counts them, and by `rows` those of a path. */
type Answers<Kinds extends ReadKind> = {
  readonly [Kind in Exclude<Kinds, 'page'>]?: Answer<Asked<Kind>, Found<Kind>>;
} & {
  readonly page?: Answer<QueryPage, Found<'page'>>;
  readonly rows?: Answer<RowsStatement, RowsRead>;
};

/** What answers reads as a test says. */
export function readsBy<Kinds extends ReadKind>(answers: Answers<Kinds>): Reads<Kinds> {
  return {
    read: <Kind extends Kinds>({ kind, asked }: Read<Kind>, call: ReadCall) => {
      const isPath = kind === 'page' && !('query' in asked);
      const answer = (isPath ? answers.rows : answers[kind as keyof typeof answers]) as
        | Answer<unknown, Found<Kind>>
        | undefined;
      if (answer === undefined) throw new Error(`The test answers no ${kind}.`);
      return answer(asked, call);
    },
  };
}
