import * as uploads from '../../contract/operations/link-uploads.ts';
import * as contract from '../../contract/operations/upload-links.ts';
import type { Caller } from '../../core/caller.ts';
import {
  createUploadLink,
  deleteUploadLink,
  listSenders,
  listUploadLinks,
} from '../../core/upload-links/manage-upload-links.ts';
import { beginLinkUpload, getLinkUpload } from '../../core/upload-links/link-uploads.ts';
import { admitLinkUse } from '../../core/upload-links/find-usable-link.ts';
import { publishByLink } from '../../core/upload-links/publish-by-link.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { appPages } from '../http/app-pages.ts';
import { uploadLinkServices as services } from './upload-link-services.ts';
import { uploadPageBindings } from './upload-page-bindings.ts';

const admit = (caller: Caller) => admitLinkUse(services(), caller);

export const bindings = [
  bind(contract.createUploadLink, (caller, input) => createUploadLink(services(), caller, input)),
  bind(contract.listUploadLinks, (caller) => listUploadLinks(services(), caller)),
  bind(contract.listSenders, (caller, { link, ...page }) =>
    listSenders(services(), caller, { id: link, ...page }),
  ),
  bind(contract.deleteUploadLink, (caller, { link }) =>
    deleteUploadLink(services(), caller, { id: link }),
  ),
  bind(
    uploads.publishByLink,
    (caller, { link, ...upload }) => publishByLink(services(), caller, { ...upload, token: link }),
    { admit },
  ),
  bind(
    uploads.beginLinkUpload,
    (caller, { link, ...announcement }) =>
      beginLinkUpload(services(), caller, { ...announcement, token: link }),
    { admit },
  ),
  bind(
    uploads.getLinkUpload,
    (caller, { link, uploadId }) => getLinkUpload(services(), caller, { token: link, uploadId }),
    { admit },
  ),
  ...uploadPageBindings,
];

/** `/v1/upload-links` and `/upload/<token>`: publish once for an account, without a key. */
export const handler = endpoint(bindings, appPages);
