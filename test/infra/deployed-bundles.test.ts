import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stageBundles } from '../../bin/stages/synthesize-stage.ts';
import { webAppFolder } from '../../lib/web-app/web-app-build.ts';
import { quickEffort } from '../../scripts/bundle-viewers.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'slipway-deployed-'));
beforeAll(() => stageBundles(dir), 300_000);
afterAll(() => rmSync(dir, { recursive: true }));

// `bundle.test.ts` looks at what `npm run synth` makes of the examples.
test.each([
  ['viewer pages', 'viewer-assets/assets', /^pdf-worker-.*\.js$/],
  ['the web app', `${webAppFolder}/assets`, /^app-.*\.js$/],
])(
  'a deployment ships %s as small as visitors should get them, not as a quick start makes them',
  (_, folder, name) => {
    const file = readdirSync(path.join(dir, folder)).find((one) => name.test(one)) ?? '';
    const bytes = readFileSync(path.join(dir, folder, file));
    const params = { [constants.BROTLI_PARAM_QUALITY]: quickEffort.brotli };
    const { size } = statSync(path.join(dir, folder, `${file}.br`));
    expect(size).toBeLessThan(brotliCompressSync(bytes, { params }).length);
  },
);
