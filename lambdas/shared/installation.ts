import type { Installation } from '../../contract/discovery/server-card.ts';
import { setting } from './settings.ts';

/** Name and address of this installation. */
export function installation(): Installation {
  return { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
}
