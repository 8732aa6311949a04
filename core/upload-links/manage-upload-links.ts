import { type CredentialDeps, liveCredential } from '../accounts/keys/live-credential.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { UploadLinkStore } from './ports.ts';
import { type NamedUploadLink, UploadLinkId } from './upload-link.ts';

/** What listing upload links needs. */
export interface ListUploadLinksDeps extends CredentialDeps {
  links: Pick<UploadLinkStore, 'listOpen'>;
}

/** The account's upload links that work, newest first; never their tokens. One that ended with what made it is left out. */
export async function listUploadLinks(deps: ListUploadLinksDeps, { account }: AccountCaller) {
  const open = await deps.links.listOpen(account.id, deps.now());
  const makers = new Map<string, ReturnType<typeof liveCredential>>();
  const makerOf = ({ madeWith }: NamedUploadLink) => {
    const key = JSON.stringify(madeWith);
    const known = makers.get(key);
    if (madeWith === null || known !== undefined) return known;
    const found = liveCredential(deps, account.id, madeWith);
    makers.set(key, found);
    return found;
  };
  const described = await Promise.all(
    open.map(async (link) => ({ link, madeBy: await makerOf(link) })),
  );
  return {
    uploadLinks: described.flatMap(({ link, madeBy }) =>
      madeBy === undefined ? [] : [describe(link, madeBy)],
    ),
  };
}

/**
 * Takes a link away, whoever made it; the next request with its token is refused.
 * @throws CodedError NOT_FOUND
 */
export async function deleteUploadLink(
  deps: { links: Pick<UploadLinkStore, 'remove'> },
  { account }: AccountCaller,
  input: { id: string },
) {
  const { data: id } = UploadLinkId.safeParse(input.id);
  if (id === undefined || !(await deps.links.remove(account.id, id))) {
    throw new CodedError('NOT_FOUND', { error: 'You have no such upload link.' });
  }
  return { deleted: true };
}

function describe(
  { id, title, projectId, createdAt, expiresAt }: NamedUploadLink,
  madeBy: NonNullable<Awaited<ReturnType<typeof liveCredential>>>,
) {
  return { id, title, projectId, createdAt, expiresAt, madeBy };
}
