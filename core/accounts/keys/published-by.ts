import type { PublishedBy } from '../../../contract/fields.ts';
import type { StoredSession } from '../sessions/stored-session.ts';
import type { StoredKey } from './api-key.ts';
import { describeBrowser } from './live-credential.ts';

/** How a version names the key that published it. */
export function publishedByKey({ id, name }: StoredKey): PublishedBy {
  return { kind: 'key', id, name };
}

/** How a version names the browser that published it. */
export function publishedBySession(session: StoredSession): PublishedBy {
  return { kind: 'session', id: session.id, name: describeBrowser(session) };
}
