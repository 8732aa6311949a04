import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** File times are taken from a coarser clock than `Date.now()`. */
const clockStepMs = 50;

/** Digests of the content of files and folders, each read once. */
export class InputDigests {
  readonly #root: string;
  readonly #known = new Map<string, string>();
  /** Before any input was read. */
  readonly #startedAt = Date.now() - clockStepMs;

  constructor(root: string) {
    this.#root = root;
  }

  areCurrent(inputs: Record<string, string>): boolean {
    return Object.entries(inputs).every(([input, digest]) => this.#digest(input) === digest);
  }

  digestsOf(inputs: Iterable<string>): Record<string, string> {
    const names = [...new Set(inputs)].toSorted();
    return Object.fromEntries(names.map((input) => [input, this.#digest(input)]));
  }

  /**
   * Whether no input has changed since this object was created. A file that changed meanwhile may have
   * been read by the build before or after its digest was taken. The change time is compared, because
   * copying tools can set the modification time.
   */
  wereUnchanged(inputs: string[]): boolean {
    return inputs.every((input) => {
      const stat = statSync(path.join(this.#root, input), { throwIfNoEntry: false });
      const isAbsent = this.#digest(input) === 'absent';
      if (stat === undefined || isAbsent) return stat === undefined && isAbsent;
      return stat.ctimeMs < this.#startedAt;
    });
  }

  /**
   * One digest of the inputs' names and of when each was last changed, for a fraction of the work of
   * reading them: equal ones mean equal content. `undefined` if one changes while this object is in use.
   */
  fingerprintOf(inputs: Iterable<string>): string | undefined {
    const hash = createHash('sha256');
    for (const input of inputs) {
      const stat = statSync(path.join(this.#root, input), { throwIfNoEntry: false });
      if (stat !== undefined && stat.ctimeMs >= this.#startedAt) return undefined;
      hash.update(
        `${input}\0${stat === undefined ? 'absent' : `${stat.dev} ${stat.ino} ${stat.ctimeMs}`}\n`,
      );
    }
    return hash.digest('hex');
  }

  #digest(input: string): string {
    const known = this.#known.get(input);
    if (known !== undefined) return known;
    const digest = readDigest(path.join(this.#root, input));
    this.#known.set(input, digest);
    return digest;
  }
}

/** Of a file, the digest of its bytes; of a folder, the digest of the names inside. */
function readDigest(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return 'absent';
  const bytes = stat.isDirectory() ? readdirSync(file).toSorted().join('\0') : readFileSync(file);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
