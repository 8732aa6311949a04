import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { errorCatalogue } from '../../contract/errors.ts';
import { operations } from '../../contract/operations.ts';
import type { Binding } from '../../lambdas/http/bind.ts';

let bound: Record<string, readonly Binding[]>;
beforeAll(async () => {
  bound = {
    system: (await import('../../lambdas/system/system.ts')).bindings,
    'temp-projects': (await import('../../lambdas/projects/temp-projects.ts')).bindings,
    accounts: (await import('../../lambdas/accounts/accounts.ts')).bindings,
    projects: (await import('../../lambdas/projects/projects.ts')).bindings,
    versions: (await import('../../lambdas/projects/versions.ts')).bindings,
    uploads: (await import('../../lambdas/uploads/uploads.ts')).bindings,
    'upload-links': (await import('../../lambdas/uploads/upload-links.ts')).bindings,
    workspaces: (await import('../../lambdas/projects/workspaces.ts')).bindings,
    domains: (await import('../../lambdas/domains/domains.ts')).bindings,
    analytics: (await import('../../lambdas/projects/analytics.ts')).bindings,
    'share-links': (await import('../../lambdas/projects/share-links.ts')).bindings,
    webhooks: (await import('../../lambdas/webhooks/webhooks.ts')).bindings,
    operators: (await import('../../lambdas/operators/operators.ts')).bindings,
    export: (await import('../../lambdas/accounts/export.ts')).bindings,
  };
});

/** What people and their tools read; no operation of the API. */
const pages = new Set([
  'GET /',
  'GET /account/keep/{link}',
  'POST /account/keep/{link}',
  'GET /mails/stop/{token}',
  'POST /mails/stop/{token}',
  'GET /upload/{token}',
  'POST /upload/{token}',
  'GET /.well-known/security.txt',
  'GET /docs',
  'GET /docs/{page+}',
  'GET /favicon.ico',
  'GET /robots.txt',
  'ANY /{rest+}',
]);
const title = ({ method, route }: Binding) => `${method} ${route}`;

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`${folder}/${path}`, 'utf8'));

/** Whether a function calls the use case of core that has the name of an operation. */
function callsUseCase(source: string, id: string): boolean {
  const imported = new RegExp(String.raw`\{[^}]*\b${id}\b[^}]*\} from '\.\./\.\./core/`);
  const called = new RegExp(
    String.raw`\bbind\(\s*(?:\w+\.)?${id},(?:(?!\bbind\()[^])*?(?<![\w.])${id}\(\w+\(\)`,
  );
  return imported.test(source) && called.test(source);
}

describe('an operation has one name', () => {
  test('its id is the name of its export', () => {
    const exported = sourcesOf('contract/operations').flatMap((text) =>
      [...text.matchAll(/^export const (\w+) = operation\(\{[^]*?\bid: '(\w+)'/gm)].map(
        ([, name, id]) => [id, name],
      ),
    );
    expect(exported.length).toBe(operations.length);
    expect(exported.filter(([id, name]) => id !== name)).toEqual([]);
  });

  test('and of its use case', () => {
    const sources = sourcesOf('lambdas');
    const different = operations
      // These return documents, which no use case makes.
      .filter(({ group }) => group !== 'system')
      .filter(({ id }) => !sources.some((source) => callsUseCase(source, id)));
    expect(different.map(({ id }) => id)).toEqual([]);
  });
});

describe('one list of operations is the truth', () => {
  test('ids and routes are unique', () => {
    const ids = operations.map(({ id }) => id);
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test('every operation is bound in the function of its group, and nothing else is', () => {
    for (const [group, bindings] of Object.entries(bound)) {
      const named = operations
        .filter((operation) => operation.group === group)
        .map(({ method, path }) => `${method} ${path}`);
      const served = bindings.map(title).filter((route) => !pages.has(route));
      expect([group, served.toSorted()]).toEqual([group, named.toSorted()]);
    }
    expect(new Set(operations.map(({ group }) => group))).toEqual(new Set(Object.keys(bound)));
  });

  test('every operation names only errors of the catalogue', () => {
    for (const { errors } of operations) {
      for (const code of errors) expect(errorCatalogue).toHaveProperty(code);
    }
  });

  test('every parameter of a path is an input', () => {
    for (const { path, input } of operations) {
      for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
        expect(Object.keys(input.shape)).toContain(name);
      }
    }
  });
});
