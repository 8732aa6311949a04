import type { Context } from './policy.ts';

/** The condition values of tags in a request, and on the resource that it names. */
export function tagContext(tags: {
  request?: readonly { Key: string; Value?: string | undefined }[];
  resource?: readonly { Key: string; Value?: string | undefined }[];
}): Context {
  const entries = (
    prefix: string,
    list: readonly { Key: string; Value?: string | undefined }[] = [],
  ) => list.map(({ Key, Value = '' }) => [`${prefix}/${Key.toLowerCase()}`, Value] as const);
  const keys = (tags.request ?? []).map(({ Key }) => Key);
  return {
    ...Object.fromEntries([
      ...entries('aws:requesttag', tags.request),
      ...entries('aws:resourcetag', tags.resource),
    ]),
    ...(keys.length > 0 && { 'aws:tagkeys': keys }),
  };
}
