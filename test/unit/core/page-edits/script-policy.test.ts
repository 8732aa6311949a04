import { expect, test } from '@jest/globals';
import { refusesScript } from '../../../../core/page-edits/script-policy.ts';

const site = 'https://calm.sites.test';

test.each([
  ['', false],
  ["img-src 'none'", false],
  ["default-src 'self'", false],
  ["script-src 'self' 'nonce-abc'; connect-src *", false],
  ['script-src https:', false],
  ['script-src calm.sites.test', false],
  ['script-src https://*.sites.test/', false],
  ["default-src 'none'", true],
  ["DEFAULT-SRC 'NONE'", true],
  ["script-src 'nonce-abc'", true],
  ["script-src 'sha256-abc=' 'unsafe-inline'", true],
  ["script-src 'self' 'nonce-abc' 'strict-dynamic'", true],
  ["script-src 'self'; script-src-elem cdn.test", true],
  ["script-src 'self'; connect-src api.test", true],
  ['script-src http:', true],
  ['script-src https://calm.sites.test/js/', true],
  ['sandbox', true],
  ['sandbox allow-forms', true],
  ['sandbox allow-scripts', true],
  ['sandbox allow-scripts allow-same-origin', false],
  ["default-src 'self', script-src 'none'", true],
  ["script-src 'self'; script-src 'none'", false],
])('%j refuses the script: %s (habit 10)', (policy, isRefused) => {
  expect(refusesScript(policy, site)).toBe(isRefused);
});
