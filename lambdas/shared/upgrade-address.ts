import { hasSetting, setting } from './settings.ts';

/** Where accounts of this installation upgrade: the address of a page or an e-mail address; empty for none. */
export function upgradeAddress(): string {
  return hasSetting('UPGRADE_URL') ? setting('UPGRADE_URL') : '';
}

/**
 * Adds the upgrade address (a page or an e-mail address) to a next step that advises to upgrade.
 * Other next steps stay unchanged; so do all if there is no address.
 */
export function withUpgradeAddress(nextStep: string, address: string): string {
  if (address === '') return nextStep;
  const where = address.includes('://') ? ` at ${address}` : ` (write to ${address})`;
  return nextStep.replace(
    /\b(?:upgrade|change) to a (?:paid|larger) plan(?: \(starter or higher\))?/i,
    (advice) => advice + where,
  );
}
