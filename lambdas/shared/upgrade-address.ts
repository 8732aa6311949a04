import { hasSetting, setting } from './settings.ts';

/** Where accounts of this installation upgrade: the address of a page or an e-mail address; empty for none. */
export function upgradeAddress(): string {
  return hasSetting('UPGRADE_URL') ? setting('UPGRADE_URL') : '';
}

/**
 * A next step that advises to upgrade, with where to do so: the address of a page, or an e-mail
 * address. Other next steps, and all of them without an address, stay as they are.
 */
export function withUpgradeAddress(nextStep: string, address: string): string {
  if (address === '') return nextStep;
  const where = address.includes('://') ? ` at ${address}` : ` (write to ${address})`;
  return nextStep.replace(
    /\b(?:upgrade|change) to a (?:paid|larger) plan(?: \(starter or higher\))?/i,
    (advice) => advice + where,
  );
}
