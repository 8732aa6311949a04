import * as contract from '../../contract/operations/domains.ts';
import {
  addDomain,
  checkDomain,
  deleteDomain,
  getDomain,
  listDomains,
} from '../../core/domains/manage-domains.ts';
import { setRootProject } from '../../core/domains/root-project.ts';
import { bindWithKey } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { lazy } from '../shared/lazy.ts';
import { domainServices } from './domain-services.ts';

const services = lazy(() => ({
  // Maintenance tells the operator, each time it looks.
  ...domainServices({ reportTrouble: () => undefined }),
  now: () => new Date(),
}));

export const bindings = [
  bindWithKey(contract.listDomains, { run: (caller) => listDomains(services(), caller) }),
  bindWithKey(contract.addDomain, {
    run: (caller, input) => addDomain(services(), caller, input),
  }),
  bindWithKey(contract.getDomain, {
    run: (caller, input) => getDomain(services(), caller, input),
  }),
  bindWithKey(contract.updateDomain, {
    run: (caller, input) => setRootProject(services(), caller, input),
  }),
  bindWithKey(contract.checkDomain, {
    run: (caller, input) => checkDomain(services(), caller, input),
  }),
  bindWithKey(contract.deleteDomain, {
    run: (caller, input) => deleteDomain(services(), caller, input),
  }),
];

/** `/v1/domains`: domains of customers under which their projects are served. */
export const handler = endpoint(bindings);
