import * as contract from '../../contract/operations/domains.ts';
import {
  addDomain,
  checkDomain,
  deleteDomain,
  getDomain,
  listDomains,
} from '../../core/domains/manage-domains.ts';
import { updateDomain } from '../../core/domains/root-project.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { lazy } from '../shared/lazy.ts';
import { domainServices } from './domain-services.ts';

const services = lazy(() => ({
  // Nothing to report here: maintenance reports trouble to the operator at each check.
  ...domainServices({ reportTrouble: () => undefined }),
  now: () => new Date(),
}));

export const bindings = [
  bind(contract.listDomains, (caller) => listDomains(services(), caller)),
  bind(contract.addDomain, (caller, input) => addDomain(services(), caller, input)),
  bind(contract.getDomain, (caller, input) => getDomain(services(), caller, input)),
  bind(contract.updateDomain, (caller, input) => updateDomain(services(), caller, input)),
  bind(contract.checkDomain, (caller, input) => checkDomain(services(), caller, input)),
  bind(contract.deleteDomain, (caller, input) => deleteDomain(services(), caller, input)),
];

/** `/v1/domains`: domains of customers under which their projects are served. */
export const handler = endpoint(bindings);
