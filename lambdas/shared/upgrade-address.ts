import { hasSetting, setting } from './settings.ts';

/** Where accounts of this installation upgrade: the address of a page or an e-mail address; empty for none. */
export function upgradeAddress(): string {
  return hasSetting('UPGRADE_URL') ? setting('UPGRADE_URL') : '';
}
