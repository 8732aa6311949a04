import { queryOptions } from '@tanstack/react-query';

/** What differs between installations. */
export interface Config {
  brand: string;
  upgradeUrl: string | null;
}

/** `config.json`, which the deployment writes beside the app. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async (): Promise<Config> => (await fetch('/dashboard/config.json')).json(),
  staleTime: Infinity,
});
