import { createHash } from 'node:crypto';
import type { Output } from '../web/app/api/contract.ts';
import type { Context } from './context.ts';
import { privateFile } from './credentials.ts';
import { type LocalFile, nameOfHash } from './local-file.ts';
import type { Service } from './service.ts';

/** An upload with the parts that have not arrived yet. */
type InterruptedUpload = Output<'beginUpload'>;

/** Uploads that a lost connection ended. */
export interface InterruptedUploads {
  /** The one of the same files, which nobody else goes on with from then on. */
  take(files: readonly LocalFile[]): Promise<InterruptedUpload | undefined>;
  keep(files: readonly LocalFile[], upload: InterruptedUpload): Promise<void>;
}

/** Its addresses must work for as long as the rest takes. Milliseconds. */
const leastLeftMs = 10 * 60 * 1000;

/**
 * Remembers uploads of a caller by their files, beside the keys: with the addresses in them, anybody may send these
 * files until the upload ends, and nothing else.
 */
export function interruptedUploads(
  context: Pick<Context, 'env' | 'platform'>,
  { caller }: Pick<Service, 'caller'>,
): InterruptedUploads {
  const kept = privateFile<InterruptedUpload>(context, 'uploads.json');
  const others = async (name: string) =>
    Object.entries(await kept.read()).filter(([one, upload]) => one !== name && isUsable(upload));
  return {
    async take(files) {
      const name = nameOf(caller, files);
      const found = (await kept.read())[name];
      if (found === undefined) return undefined;
      await kept.write(Object.fromEntries(await others(name)));
      return isUsable(found) ? found : undefined;
    },
    async keep(files, upload) {
      const name = nameOf(caller, files);
      await kept.write(Object.fromEntries([...(await others(name)), [name, upload]]));
    },
  };
}

function isUsable({ expiresAt }: InterruptedUpload): boolean {
  return Date.parse(expiresAt) > Date.now() + leastLeftMs;
}

/** A file that changed is another one. */
function nameOf(caller: string, files: readonly LocalFile[]): string {
  const hash = createHash('sha256').update(caller);
  for (const { path, source, size, changedMs } of files) {
    hash.update(JSON.stringify([path, size, changedMs])).update(source);
  }
  return nameOfHash(hash);
}
