/** What a promise rejects with; a promise that does not reject fails the test. */
export async function caught(promise: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection; the promise was fulfilled');
}
