import type { SecretFinding } from '../../../contract/errors.ts';
import { CodedError } from '../../errors.ts';
import type { SecretFinder } from './find-secrets.ts';

/** A response names at most this many places; its count includes all. */
const namedFindings = 20;

/** Searches the files of one upload for keys while they are stored. */
export interface SecretGuard {
  /**
   * Searches one more file. True once any file seems to have a key: nothing more needs to be
   * stored.
   */
  hasFoundIn(path: string, bytes: Uint8Array): boolean;
  /** @throws CodedError SECRETS_FOUND */
  requireNone(): void;
}

/**
 * A guard for an upload; `undefined` if its sender allows keys, or if the store has no finder. It names files as their
 * sender did, without the folder that a merge puts them into: that folder tells who else sent files.
 */
export function secretGuard(
  find: SecretFinder | undefined,
  { allowSecrets, folder }: { allowSecrets?: boolean | undefined; folder?: string },
): SecretGuard | undefined {
  if (find === undefined || allowSecrets === true) return undefined;
  const findings: SecretFinding[] = [];
  let count = 0;
  return {
    hasFoundIn(path, bytes) {
      const found = find(bytes);
      count += found.length;
      const room = namedFindings - findings.length;
      const sentPath = folder === undefined ? path : path.slice(folder.length + 1);
      findings.push(...found.slice(0, room).map((one) => ({ path: sentPath, ...one })));
      return count > 0;
    },
    requireNone() {
      const [first] = findings;
      if (first === undefined) return;
      const places = count === 1 ? 'a key' : `${count} keys`;
      const error = `The files seem to contain ${places}, the first in line ${first.line} of ${first.path}.`;
      throw new CodedError('SECRETS_FOUND', { error, findings, count });
    },
  };
}
