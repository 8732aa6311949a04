import type { PublishedBy } from '../../../contract/fields.ts';
import type { StoredSession } from '../sessions/stored-session.ts';
import type { StoredKey } from './api-key.ts';
import { describeBrowser } from './live-credential.ts';

/** What a version says that was published with this key. */
export function publishedByKey({ id, name }: StoredKey): PublishedBy {
  return { kind: 'key', id: id ?? null, name };
}

/** What a version says that was published in this browser. */
export function publishedBySession(session: StoredSession): PublishedBy {
  return { kind: 'session', id: session.id ?? null, name: describeBrowser(session) };
}
