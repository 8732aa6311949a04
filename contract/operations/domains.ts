import * as z from 'zod';
import { Domain, DomainDetail, exampleDomain, exampleDomainDetail } from '../domain.ts';
import { example } from '../examples.ts';
import { PathId } from '../fields.ts';
import { operation } from '../operation.ts';

const inDomain = { group: 'domains', auth: 'key', paid: true } as const;

/** `GET /v1/domains`: the account's domains, newest first. */
export const listDomains = operation({
  ...inDomain,
  id: 'listDomains',
  route: 'GET /v1/domains',
  summary: 'List your custom domains, newest first.',
  input: z.object({}),
  output: z.object({ domains: z.array(Domain) }),
  example: { input: {}, output: { domains: [exampleDomain] } },
});

/** `POST /v1/domains`: adds a domain, and returns the DNS records that it needs. */
export const addDomain = operation({
  ...inDomain,
  id: 'addDomain',
  route: 'POST /v1/domains',
  summary:
    'Add a domain of your own. Set the DNS records in `records` at your DNS provider. The service looks for them every minute at first. Each project of the domain is then served at `https://<slug>.<domain>`.',
  body: 'json',
  input: z.strictObject({
    domain: z.string().trim().min(1).max(300).describe('For example `example.com`.'),
  }),
  output: DomainDetail,
  status: 201,
  errors: ['DOMAIN_LIMIT_REACHED', 'DOMAIN_TAKEN'],
  example: { input: { domain: 'example.com' }, output: exampleDomainDetail },
});

/** `GET /v1/domains/{domainId}`: one domain with its records. */
export const getDomain = operation({
  ...inDomain,
  id: 'getDomain',
  route: 'GET /v1/domains/{domainId}',
  summary:
    'Get one of your domains: its status, its projects, and for each DNS record what is needed, what the last check found, and the likely mistake.',
  input: z.object({ domainId: PathId }),
  output: DomainDetail,
  errors: ['NOT_FOUND'],
  example: { input: { domainId: example.domainId }, output: exampleDomainDetail },
});

/** `PATCH /v1/domains/{domainId}`: chooses the project at the bare domain and at `www`. */
export const updateDomain = operation({
  ...inDomain,
  id: 'updateDomain',
  route: 'PATCH /v1/domains/{domainId}',
  summary:
    'Choose the project of a domain that is also shown at the bare domain and at `www`; null for none. `records` then has the record to set for the bare domain, where your DNS provider offers one.',
  body: 'json',
  input: z.strictObject({
    domainId: PathId,
    rootProjectId: z.uuid().nullable().describe('The id of a project of this domain'),
  }),
  output: DomainDetail,
  errors: ['NOT_FOUND', 'SLUG_TAKEN'],
  example: {
    input: { domainId: example.domainId, rootProjectId: null },
    output: exampleDomainDetail,
  },
});

/** `POST /v1/domains/{domainId}/check`: checks the records now. */
export const checkDomain = operation({
  ...inDomain,
  id: 'checkDomain',
  route: 'POST /v1/domains/{domainId}/check',
  summary: 'Check the DNS records, the certificate and the delivery of a domain now.',
  input: z.object({ domainId: PathId }),
  output: DomainDetail,
  errors: ['NOT_FOUND'],
  example: { input: { domainId: example.domainId }, output: exampleDomainDetail },
});

/** `DELETE /v1/domains/{domainId}`: removes a domain; its projects are kept. */
export const deleteDomain = operation({
  ...inDomain,
  id: 'deleteDomain',
  route: 'DELETE /v1/domains/{domainId}',
  summary:
    'Remove a domain with its certificate. Its projects are kept and get addresses of this service again. For 30 days, other accounts can add the domain only if they prove that it is theirs.',
  input: z.object({ domainId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: { input: { domainId: example.domainId }, output: { deleted: true } },
});
