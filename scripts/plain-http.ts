import type { Plugin } from 'esbuild';

/**
 * Takes `node:http` from Node without an import. An import as an ES module reads each export of it, and since
 * Node 22 the getter of one of them loads undici: a fifth of the gate's cold import. The AWS SDK imports it when it
 * first calls an address without TLS, as those of the local cloud are.
 */
export const plainHttp: Plugin = {
  name: 'plain-http',
  setup(bundle) {
    const filter = /^(?:node:)?http$/;
    bundle.onResolve({ filter }, ({ kind }) =>
      kind === 'import-statement' || kind === 'dynamic-import'
        ? { path: 'node:http', namespace: 'plain-http' }
        : undefined,
    );
    bundle.onLoad({ filter, namespace: 'plain-http' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http');",
    }));
  },
};
