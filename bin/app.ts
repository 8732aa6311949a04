import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../lib/app.ts';
import { checkAssembly } from '../lib/check/check-template.ts';
import { readSettings } from '../lib/settings.ts';
import { bundleFunctions } from '../scripts/bundle.ts';

const bundlesDir = path.join(fileURLToPath(new URL('..', import.meta.url)), '.slipway', 'bundles');

const settings = readSettings();
await bundleFunctions(bundlesDir);
checkAssembly(buildApp(settings, { bundlesDir }).synth());
