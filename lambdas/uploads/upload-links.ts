import * as contract from '../../contract/operations/upload-links.ts';
import type { Caller } from '../../core/caller.ts';
import {
  createUploadLink,
  deleteUploadLink,
  listUploadLinks,
} from '../../core/upload-links/manage-upload-links.ts';
import { beginLinkUpload, getLinkUpload } from '../../core/upload-links/link-uploads.ts';
import { admitLinkUse } from '../../core/upload-links/find-usable-link.ts';
import { publishByLink } from '../../core/upload-links/publish-by-link.ts';
import { bind, bindWithKey } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { appPages } from '../http/app-pages.ts';
import { uploadLinkServices as services } from './upload-link-services.ts';
import { uploadPageBindings } from './upload-page-bindings.ts';

const admit = (caller: Caller) => admitLinkUse(services(), caller);

export const bindings = [
  bindWithKey(contract.createUploadLink, {
    run: (caller, input) => createUploadLink(services(), caller, input),
  }),
  bindWithKey(contract.listUploadLinks, { run: (caller) => listUploadLinks(services(), caller) }),
  bindWithKey(contract.deleteUploadLink, {
    run: (caller, { link }) => deleteUploadLink(services(), caller, { id: link }),
  }),
  bind(contract.publishByLink, {
    admit,
    run: (caller, { link, ...upload }) =>
      publishByLink(services(), caller, { ...upload, token: link }),
  }),
  bind(contract.beginLinkUpload, {
    admit,
    run: (caller, { link, ...announcement }) =>
      beginLinkUpload(services(), caller, { ...announcement, token: link }),
  }),
  bind(contract.getLinkUpload, {
    admit,
    run: (caller, { link, uploadId }) =>
      getLinkUpload(services(), caller, { token: link, uploadId }),
  }),
  ...uploadPageBindings,
];

/** `/v1/upload-links` and `/upload/<token>`: publish once for an account, without a key. */
export const handler = endpoint(bindings, appPages);
