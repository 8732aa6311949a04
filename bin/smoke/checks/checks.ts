import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { agentChecks } from './agents.ts';
import { apiChecks } from './api.ts';
import { changeChecks } from './changes.ts';
import { domainChecks } from './domains.ts';
import { fileChecks } from './files.ts';
import { pageChecks } from './pages.ts';
import { tlsChecks } from './tls.ts';
import { uploadChecks } from './uploads.ts';

/** All checks, in the order in which they run: those that need no key first. */
export const checks: readonly Check[] = [
  ...pageChecks,
  ...tlsChecks,
  ...apiChecks,
  ...agentChecks,
  ...accessChecks,
  ...changeChecks,
  ...domainChecks,
  ...uploadChecks,
  ...fileChecks,
];
