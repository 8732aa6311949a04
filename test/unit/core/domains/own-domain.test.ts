import { expect, test } from '@jest/globals';
import { findOwnDomain, requireOwnDomain } from '../../../../core/domains/own-domain.ts';
import { AccountId } from '../../../../contract/fields.ts';
import { aDomain, domainId } from '../../../fixtures/domains/a-domain.ts';
import { aCaller } from '../../../fixtures/projects/a-project.ts';

const other = AccountId.parse('9b1e7c11-2f1a-4c39-9d0e-9a115f600b7e');

test.each([
  ['is found', aDomain(), domainId, true],
  ['of another account is not', aDomain({ accountId: other }), domainId, false],
  [
    'that is being removed is not',
    aDomain({ removingAt: '2026-03-01T12:00:00.000Z' }),
    domainId,
    false,
  ],
  ['that does not exist is not', undefined, domainId, false],
  ['is not found by anything but an id', aDomain(), 'customer.com', false],
])('a domain %s', async (_, stored, id, isFound) => {
  const domains = { get: async () => stored };
  const caller = aCaller();
  expect(await findOwnDomain(domains, caller, id)).toEqual(isFound ? stored : undefined);
  const required = requireOwnDomain({ domains }, caller, id);
  if (isFound) expect(await required).toEqual(stored);
  else await expect(required).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
