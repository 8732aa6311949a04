import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { SignUpPolicy } from '../../../contract/fields.ts';
import { call } from './call.ts';
import { earlyAnswer } from './early-answers.ts';
import { isSignedOut } from './api-error.ts';

/** The account that is signed in in this browser; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return await call('getWebSession', {}, { signal });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
  // Pages without scripts sign in and out too, and can tell no tab: those of claims, of programs and of apps.
  refetchOnWindowFocus: 'always',
});

/** Tells the other tabs of this browser that somebody signed in or out. */
const channel = new BroadcastChannel('slipway-session');

/**
 * Forgets everything that was read: data of one account must never be shown to another that signs in in
 * the same tab.
 */
export function forgetAccount(client: QueryClient): void {
  client.clear();
  announceSession();
}

/** Tells the other tabs that somebody signed in or out here. */
export function announceSession(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel.postMessage('changed');
}

/** Calls back when another tab signed in or out. */
export function onSessionChange(listener: () => void): () => void {
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}

/** What differs between installations. */
export interface Config {
  brand: string;
  upgradeUrl: string | null;
  /** An e-mail address or a page. */
  securityContact: string | null;
  signUpPolicy: SignUpPolicy;
}

const configUrl = '/dashboard/config.json';

/** `config.json`, which the deployment writes beside the app. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async (): Promise<Config> => (await (earlyAnswer(configUrl) ?? fetch(configUrl))).json(),
  staleTime: Infinity,
});
