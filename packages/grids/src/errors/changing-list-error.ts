/** The list changed between the pages of one block, each time that it was read. */
export class ChangingListError extends Error {
  override readonly name = 'ChangingListError';

  constructor(model: string, attempts: number) {
    super(
      `${model} changed between the pages of one block, in each of ${attempts} attempts. ` +
        'Blocks that begin at a multiple of their size are one page, and cannot be torn.',
    );
  }
}
