/** An export or import that cannot go on, in one line that says why. */
export class TransferError extends Error {
  override name = 'TransferError';
}
