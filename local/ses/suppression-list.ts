import { join } from 'node:path';
import * as z from 'zod';
import { stateFile } from '../state/state-file.ts';
import { bareAddress } from './mail-store.ts';

/** Why SES sends nothing more to an address. */
export const SuppressionReason = z.enum(['BOUNCE', 'COMPLAINT']);
export type SuppressionReason = z.infer<typeof SuppressionReason>;

const SuppressedAddresses = z.record(z.string(), SuppressionReason);

/** The file in the state folder that stores the list. */
export const SUPPRESSION_FILE = 'suppressed-addresses.json';

/** The account's suppression list: addresses whose mail bounced or caused a complaint. */
export type SuppressionList = ReturnType<typeof suppressionList>;

/** A suppression list that survives restarts. */
export function suppressionList(stateDir: string) {
  const file = stateFile(join(stateDir, SUPPRESSION_FILE), SuppressedAddresses, {});
  return {
    add(address: string, reason: SuppressionReason) {
      file.write({ ...file.read(), [bareAddress(address)]: reason });
    },
    reasonFor(address: string) {
      const addresses = file.read();
      const key = bareAddress(address);
      return Object.hasOwn(addresses, key) ? addresses[key] : undefined;
    },
  };
}
